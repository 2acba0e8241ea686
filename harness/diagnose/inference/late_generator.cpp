#include <fmt/format.h>

#include <string>

#include "core/text/number_format.h"
#include "diagnose/questions_of_inference.h"

namespace stepgate {

std::vector<Finding> explain_late_generator(const JudgedComparison& input) {
  const PairedValues* pairs = pairs_of(input);
  const bool by_pairs = pairs != nullptr && pairs->late_generator_pairs > 0;
  const std::int64_t late = by_pairs ? pairs->late_generator_pairs : input.current.late_generators;
  if (late == 0) return {};
  return {{.code = FindingCode::late_generator,
           .severity = Severity::warning,
           .message = fmt::format("requests at the given rate were announced late in {}, which {} discarded: {}",
                                  counted(late, by_pairs ? "pair" : "replicate"), late == 1 ? "was" : "were",
                                  by_pairs ? pairs->why_generator_late : input.current.why_generator_late),
           .advice = "something else ran on the CPU of the generator: see what it was (stepgate doctor), and leave "
                     "stepgate one more core than the case computes on.",
           .metric = ""}};
}

}  // namespace stepgate
