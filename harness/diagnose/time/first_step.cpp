#include <fmt/format.h>

#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "diagnose/time/break_even_steps.h"

namespace stepgate {
namespace {

/// "; that is caught up after 53 steps": where each later step is proven to be faster. Compiled steps and graphs are.
std::string caught_up_text(const JudgedComparison& input, const TimedPair& first, const TimedPair& steady) {
  const MetricVerdict* verdict = verdict_on(input, leading_time(input));
  if (verdict == nullptr || verdict->status != Status::improved) return "";
  const auto steps = break_even_steps({.first_step_ns = first.now, .step_ns = steady.now},
                                      {.first_step_ns = first.before, .step_ns = steady.before});
  return steps ? fmt::format("; caught up after {}", counted(*steps, "step")) : "";
}

}  // namespace

std::vector<Finding> explain_first_step(const JudgedComparison& input) {
  const auto first = timed_pair(input, "first_step_ns");
  if (!is_red(input, "first_step_ns") || !first) return {};
  const std::string growth = difference_text(MetricUnit::ns, first->difference());
  const auto steady = timed_pair(input, leading_time(input));
  // The first step contains one ordinary step: where that grew as much, there is nothing more to explain.
  if (steady && is_red(input, leading_time(input)) && steady->difference() >= 0.5 * first->difference()) {
    return {{FindingCode::first_step_slower, Severity::note, fmt::format("first step {}, like every step", growth), "",
             "first_step_ns"}};
  }
  std::string message = fmt::format("first step {}", growth);
  if (steady) {
    message += fmt::format("; later steps {}", difference_text(MetricUnit::ns, steady->difference()));
    message += caught_up_text(input, *first, *steady);
  }
  return {{FindingCode::first_step_slower, Severity::cause, message,
           "look at what happens only once: lazy initialisation, kernel loading or autotuning, first allocations, "
           "opening the data set, starting workers.",
           "first_step_ns"}};
}

}  // namespace stepgate
