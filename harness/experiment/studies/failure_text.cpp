#include "experiment/studies/failure_text.h"

#include <fmt/format.h>

namespace stepgate {

std::string failure_text(const ReplicateFailure& failure) {
  std::string said = failure.output_tail;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  said = said.substr(said.rfind('\n') + 1);
  return said.empty() ? failure.message : fmt::format("{}: {}", failure.message, said);
}

std::string run_again_text(const std::string& case_name, Group failed, const std::optional<EmulatedGpu>& emulated) {
  return fmt::format("stepgate run {} --tier {}{}", case_name, failed == Group::exact ? "exact" : "timed",
                     emulated ? " --device " + text_of(emulated->device) : "");
}

}  // namespace stepgate
