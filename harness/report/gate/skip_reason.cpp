#include "report/gate/skip_reason.h"

#include <algorithm>
#include <string_view>

namespace stepgate {
namespace {

/// The rest of the last line that begins with `start`; "" where there is none.
std::string last_line_after(std::string_view text, std::string_view start) {
  std::string found;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with(start)) found = line.substr(start.size());
    begin = end + 1;
  }
  return found;
}

/// "--stepgate_device=cuda: no CUDA device ..." without the option, which stepgate set and no user did.
std::string without_option(const std::string& text) {
  const std::size_t colon = text.find(": ");
  return text.starts_with("--") && colon != std::string::npos ? text.substr(colon + 2) : text;
}

}  // namespace

std::string skip_reason(const Outcome& outcome) {
  for (const ReplicateFailure& failure : outcome.failures) {
    const std::string said = without_option(last_line_after(failure.output_tail, "perftest: "));
    if (!said.empty()) return said;
  }
  return outcome.failures.empty() ? outcome.verdict.detail : outcome.failures.front().message;
}

}  // namespace stepgate
