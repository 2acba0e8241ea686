#include "launch/replicate/values_refusal.h"

#include <string_view>

namespace stepgate {
namespace {

constexpr std::string_view begin_of_sentence = "stepgate: the emulated GPU computes nothing in counts mode, and ";
/// The sentence has about 230 bytes.
constexpr std::size_t most_sentence_bytes = 400;

}  // namespace

void add_need_of_values(const ProcessResult& result, ReplicateFailure& failure) {
  if (result.end != ProcessEnd::exited || result.code != values_needed_status) return;
  const std::size_t at = result.printed.rfind(begin_of_sentence);
  if (at == std::string::npos) return;
  const std::string_view said = std::string_view(result.printed).substr(at + begin_of_sentence.size());
  failure.kind = FailureKind::needs_values;
  failure.message = "in counts mode nothing is computed, and " +
                    std::string(said.substr(0, said.find('\n')).substr(0, most_sentence_bytes));
}

}  // namespace stepgate
