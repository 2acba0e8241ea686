#include "diagnose/numerics/first_difference.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/metric.h"
#include "core/record/loss_sequences.h"
#include "core/stored/varying_metric.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

/// The default tolerances are made for rounding that grew over the compared steps. In one step it makes a fiftieth of
/// that: 2e-6 of a loss in float32, whose spacing is 1.2e-7, for a sum of a few thousand terms in another order.
constexpr double rounding_of_one_step = 1.0 / 50;

/// Rounding grows by less than ten times from a step to the next (learning rates at which a run converges). A change is
/// told from it where a difference is this many times as large as all before.
constexpr double jump = 100;

bool differ(double before, double now, const NumericTolerance& tolerance) {
  return !(std::abs(now - before) <= tolerance.atol + tolerance.rtol * std::abs(before));
}

double relative_difference(const NumericSequence& sequence, std::size_t step) {
  const double size = std::abs(sequence.before[step]);
  const double difference = std::abs(sequence.now[step] - sequence.before[step]);
  return size == 0 ? difference : difference / size;
}

std::vector<NumericSequence> compared_sequences(const JudgedComparison& input, const NumericTrace& before,
                                                const NumericTrace& now) {
  const auto declared = varying_metrics(input.policy.varying, input.current.case_name);
  std::vector<NumericSequence> sequences;
  for (const std::string& metric : in_step_order(input, now)) {
    if (numeric_sequence(before, metric) != nullptr && !varies(declared, metric))
      sequences.push_back(sequence_of(input, metric, before, now));
  }
  return sequences;
}

/// The earliest place at which `is_wanted(sequence, step)`.
template <typename Wanted>
std::optional<SequencePlace> first_place(const std::vector<NumericSequence>& sequences, Wanted is_wanted) {
  std::optional<SequencePlace> first;
  for (const NumericSequence& sequence : sequences) {
    for (std::size_t step = 0; step < sequence.length() && (!first || step < first->step); ++step) {
      if (is_wanted(sequence, step)) first = SequencePlace{sequence.metric, step};
    }
  }
  return first;
}

bool differs_to_the_bit(const NumericSequence& sequence, std::size_t step) {
  return differ(sequence.before[step], sequence.now[step], {});
}

bool differs_beyond_rounding(const NumericSequence& sequence, std::size_t step) {
  return differ(sequence.before[step], sequence.now[step], sequence.rounding);
}

/// The largest relative difference in the steps before `step`.
double largest_before(const std::vector<NumericSequence>& sequences, std::size_t step) {
  double largest = 0;
  for (const NumericSequence& sequence : sequences) {
    for (std::size_t i = 0; i < std::min(step, sequence.length()); ++i)
      largest = std::max(largest, relative_difference(sequence, i));
  }
  return largest;
}

const NumericSequence& sequence_at(const std::vector<NumericSequence>& sequences, const SequencePlace& place) {
  return *std::find_if(sequences.begin(), sequences.end(),
                       [&](const NumericSequence& sequence) { return sequence.metric == place.metric; });
}

/// Processes of the same code give the same bits up to that step. One process of a GPU, whose sums may come in any
/// order, does not show it.
bool processes_repeat(const JudgedComparison& input, std::size_t step) {
  const auto& processes = input.current.numerics;
  if (processes.size() < 2 && input.device == Device::cuda) return false;
  return std::all_of(processes.begin(), processes.end(), [&](const NumericTrace& other) {
    const auto place = first_place(compared_sequences(input, processes.front(), other), differs_to_the_bit);
    return !place || place->step > step;
  });
}

/// The difference that is told from rounding: where all bits were equal before, the first that is followed by a larger
/// one; else the first that jumps.
std::optional<SequencePlace> beyond_rounding(const std::vector<NumericSequence>& sequences,
                                             const SequencePlace& to_the_bit) {
  const auto clear = first_place(sequences, differs_beyond_rounding);
  if (!clear) return std::nullopt;
  if (to_the_bit.step > 0 && clear->step <= to_the_bit.step + 1) return to_the_bit;
  const bool jumps =
      relative_difference(sequence_at(sequences, *clear), clear->step) >= jump * largest_before(sequences, clear->step);
  return jumps ? clear : std::nullopt;
}

}  // namespace

std::size_t NumericSequence::length() const { return std::min({before.size(), now.size(), compared}); }

NumericSequence sequence_of(const JudgedComparison& input, const std::string& metric, const NumericTrace& before,
                            const NumericTrace& now) {
  const Baseline* baseline = work_baseline(input);
  const NumericPlace place{baseline == nullptr ? Scope::portable : baseline->scope,
                           dtype_of(input.current.exact_fingerprint)};
  const NumericTolerance usual = numeric_tolerance(Policy{}, metric, place);
  return NumericSequence{metric,
                         *numeric_sequence(before, metric),
                         *numeric_sequence(now, metric),
                         numeric_tolerance(input.policy, metric, place),
                         {rounding_of_one_step * usual.rtol, rounding_of_one_step * usual.atol},
                         static_cast<std::size_t>(std::max<std::int64_t>(input.policy.numeric_steps, 0))};
}

std::optional<std::size_t> first_outside(const NumericSequence& sequence) {
  for (std::size_t step = 0; step < sequence.length(); ++step) {
    if (differ(sequence.before[step], sequence.now[step], sequence.tolerance)) return step;
  }
  return std::nullopt;
}

std::string boundary_of(const std::string& metric, const StepBoundaries& boundaries) {
  if (const std::string_view own = member_name(metric); !own.empty()) return std::string(own);
  if (metric == "loss_scale") return "optimizer";
  if (boundaries.find(whole_step_name) && !boundaries.find("forward")) return whole_step_name;
  return metric == "grad_norm" ? "backward" : "forward";
}

std::vector<std::string> in_step_order(const JudgedComparison& input, const NumericTrace& now) {
  const StepBoundaries& boundaries = input.current.boundaries;
  const auto place_of = [&](const std::string& metric) {
    return boundaries.place_of(boundaries.find(boundary_of(metric, boundaries)).value_or(Boundary::forward));
  };
  std::vector<std::string> metrics = numeric_metrics(now);
  std::stable_sort(metrics.begin(), metrics.end(),
                   [&](const std::string& a, const std::string& b) { return place_of(a) < place_of(b); });
  return metrics;
}

std::optional<SequencePlace> first_place_outside(const JudgedComparison& input, const NumericTrace& before,
                                                 const NumericTrace& now) {
  std::optional<SequencePlace> first;
  for (const std::string& metric : in_step_order(input, now)) {
    if (numeric_sequence(before, metric) == nullptr) continue;
    const auto step = first_outside(sequence_of(input, metric, before, now));
    if (step && (!first || *step < first->step)) first = SequencePlace{metric, *step};
  }
  return first;
}

std::optional<NumericDifference> numeric_difference(const JudgedComparison& input, const NumericTrace& before,
                                                    const NumericTrace& now) {
  const auto outside = first_place_outside(input, before, now);
  if (!outside) return std::nullopt;
  NumericDifference difference{*outside, *outside};
  const auto sequences = compared_sequences(input, before, now);
  const auto to_the_bit = first_place(sequences, differs_to_the_bit);
  if (!to_the_bit || !processes_repeat(input, to_the_bit->step)) return difference;
  const PairedReference* base = paired_reference(input);
  const bool on_one_machine = base != nullptr && base->holds_exact;  // it rounds alike
  const auto told = beyond_rounding(sequences, *to_the_bit);
  // Another kernel of the head may round otherwise from the first value on; a later jump is then the change.
  const bool begins_by_rounding = to_the_bit->step == 0 && told && told->step > 0;
  const auto first = on_one_machine && !begins_by_rounding ? to_the_bit : told;
  if (first && first->step <= outside->step) difference.first = *first;
  if (to_the_bit->step < difference.first.step) difference.rounding_from = to_the_bit->step;
  return difference;
}

}  // namespace stepgate
