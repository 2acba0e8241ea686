#include "experiment/studies/failure_text.h"

#include <fmt/format.h>

namespace stepgate {

std::string failure_text(const ReplicateFailure& failure) {
  std::string said = failure.output_tail;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  said = said.substr(said.rfind('\n') + 1);
  return said.empty() ? failure.message : fmt::format("{}: {}", failure.message, said);
}

}  // namespace stepgate
