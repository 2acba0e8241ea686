#include "judge/rules/exact_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/text/number_format.h"
#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

/// The differences between one replicate's steps and the baseline's.
struct StepChanges {
  std::int64_t above_limit = 0;  ///< steps
  std::int64_t above = 0;
  std::int64_t below = 0;
  std::int64_t largest = 0;  ///< the largest difference, with its sign
  std::size_t first = 0;     ///< first step that differs
};

StepChanges changes_of(const StepSequence& current, const StepSequence& baseline, std::int64_t tolerance) {
  StepChanges changes;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    const std::int64_t difference = current[i] - baseline[i];
    if (difference == 0) continue;
    if (changes.above + changes.below == 0) changes.first = i;
    changes.above += difference > 0;
    changes.below += difference < 0;
    changes.above_limit += difference > tolerance;
    if (std::abs(difference) > std::abs(changes.largest)) changes.largest = difference;
  }
  return changes;
}

double mean_of(const StepSequence& sequence) {
  const double sum = std::accumulate(sequence.begin(), sequence.end(), 0.0);
  return sequence.empty() ? 0 : sum / static_cast<double>(sequence.size());
}

bool agree(std::span<const StepSequence> replicates, std::int64_t tolerance) {
  for (const StepSequence& other : replicates) {
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (std::abs(other[i] - replicates.front()[i]) > tolerance) return false;
    }
  }
  return true;
}

/// "2155 -> 2157 per step (+2 in each of 8 steps)"
std::string describe(const Metric& metric, const ExactSides& sides, const StepSequence& current) {
  const StepChanges changes = changes_of(current, sides.baseline, sides.tolerance);
  const std::size_t steps = sides.baseline.size();
  if (changes.above + changes.below == 0) {
    return fmt::format("{} per step, equal in {}", quantity_text(metric.unit, mean_of(current)),
                       steps == 1 ? "the step counted" : fmt::format("all {} steps", steps));
  }
  const std::string means = fmt::format("{} -> {} per step", quantity_text(metric.unit, mean_of(sides.baseline)),
                                        quantity_text(metric.unit, mean_of(current)));
  const bool uniform = std::equal(current.begin(), current.end(), sides.baseline.begin(),
                                  [&](std::int64_t a, std::int64_t b) { return a - b == changes.largest; });
  if (uniform)
    return fmt::format("{} ({} in each of {} steps)", means,
                       difference_text(metric.unit, static_cast<double>(changes.largest)), steps);
  return fmt::format("{} (up to {}, in {} of {} steps, first in step {})", means,
                     difference_text(metric.unit, static_cast<double>(changes.largest)), changes.above + changes.below,
                     steps, changes.first);
}

const StepSequence* other_length(const ExactSides& sides) {
  for (const StepSequence& sequence : sides.current) {
    if (sequence.size() != sides.baseline.size()) return &sequence;
  }
  return nullptr;
}

std::string describe_disagreement(const Metric& metric, const ExactSides& sides) {
  std::string means;
  for (const StepSequence& sequence : sides.current) {
    means += fmt::format("{}{}", means.empty() ? "" : ", ", quantity_text(metric.unit, mean_of(sequence)));
  }
  return fmt::format("replicates disagree ({} per step), so the count is not deterministic; baseline {}", means,
                     quantity_text(metric.unit, mean_of(sides.baseline)));
}

void fill_figures(const Metric& metric, const ExactSides& sides, const StepSequence& current, MetricVerdict& verdict) {
  verdict.baseline = mean_of(sides.baseline);
  verdict.current = mean_of(current);
  if (*verdict.baseline > 0) verdict.change = *verdict.current / *verdict.baseline - 1;
  verdict.limit = "+" + quantity_text(metric.unit, static_cast<double>(sides.tolerance));
}

/// The replicate for the verdict's figures: the one furthest above the baseline.
const StepSequence& worst_of(const ExactSides& sides) {
  return *std::max_element(sides.current.begin(), sides.current.end(), [](const auto& a, const auto& b) {
    return std::accumulate(a.begin(), a.end(), std::int64_t{0}) < std::accumulate(b.begin(), b.end(), std::int64_t{0});
  });
}

void settle_directed(const Metric& metric, const ExactSides& sides, MetricVerdict& verdict) {
  const auto above_limit = std::count_if(sides.current.begin(), sides.current.end(), [&](const auto& sequence) {
    return changes_of(sequence, sides.baseline, sides.tolerance).above_limit > 0;
  });
  const StepSequence& worst = worst_of(sides);
  const std::string detail = describe(metric, sides, worst);
  const StepChanges changes = changes_of(worst, sides.baseline, sides.tolerance);
  if (above_limit == std::ssize(sides.current)) {
    settle(verdict, Status::regressed, ReasonCode::above_limit, detail);
  } else if (above_limit > 0 || !agree(sides.current, sides.tolerance)) {
    settle(verdict, Status::inconclusive, ReasonCode::replicates_disagree, describe_disagreement(metric, sides));
  } else if (changes.above > 0) {
    settle(verdict, Status::pass, ReasonCode::within_limit, detail);
  } else if (changes.below > 0) {
    settle(verdict, Status::improved, ReasonCode::below_baseline, detail);
  } else {
    settle(verdict, Status::pass, ReasonCode::equal, detail);
  }
}

}  // namespace

void apply_exact_rule(const Metric& metric, const ExactSides& sides, MetricVerdict& verdict) {
  if (const StepSequence* other = other_length(sides)) {
    settle(verdict, Status::no_baseline, ReasonCode::incompatible_baseline,
           fmt::format("counted {} steps, the baseline counted {}", other->size(), sides.baseline.size()));
    return;
  }
  const StepSequence& shown = worst_of(sides);
  fill_figures(metric, sides, shown, verdict);
  if (metric.direction == Direction::neither) {
    const bool equal = std::all_of(sides.current.begin(), sides.current.end(),
                                   [&](const auto& sequence) { return sequence == sides.baseline; });
    settle(verdict, Status::not_judged, equal ? ReasonCode::equal : ReasonCode::changed,
           describe(metric, sides, shown));
    return;
  }
  settle_directed(metric, sides, verdict);
}

}  // namespace stepgate
