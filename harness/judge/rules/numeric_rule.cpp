#include "judge/rules/numeric_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/text/number_format.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

/// The distance of one replicate from the baseline.
struct Deviation {
  const Trajectory* current = nullptr;
  double worst = 0;            ///< largest |H-B| over its allowance; above 1 is out of tolerance
  std::size_t worst_step = 0;  ///< the step of `worst`
  std::optional<std::size_t> first_different;
  std::optional<std::size_t> first_outside;
};

std::optional<std::size_t> first_non_finite(const Trajectory& values) {
  const auto at = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (at == values.end()) return std::nullopt;
  return static_cast<std::size_t>(at - values.begin());
}

double share_of_allowance(double difference, double allowance) {
  if (difference == 0) return 0;
  return allowance > 0 ? difference / allowance : std::numeric_limits<double>::infinity();
}

Deviation deviation_of(const Trajectory& current, const NumericSides& sides, std::size_t steps) {
  Deviation result;
  result.current = &current;
  if (steps > 0) result.worst_step = steps - 1;  // equal values are shown by the last one, as a baseline's are
  for (std::size_t i = 0; i < steps; ++i) {
    const double difference = std::abs(current[i] - sides.baseline[i]);
    if (difference == 0) continue;
    if (!result.first_different) result.first_different = i;
    const double share = share_of_allowance(difference, sides.atol + sides.rtol * std::abs(sides.baseline[i]));
    if (share > 1 && !result.first_outside) result.first_outside = i;
    if (share > result.worst) {
      result.worst = share;
      result.worst_step = i;
    }
  }
  return result;
}

std::string values_at(std::size_t step, double baseline, double current) {
  if (baseline == 0) return fmt::format("step {}: {:.7g} -> {:.7g}", step, baseline, current);
  return fmt::format("step {}: {:.7g} -> {:.7g} ({})", step, baseline, current,
                     change_text((current - baseline) / std::abs(baseline)));
}

std::string describe(const Deviation& deviation, const NumericSides& sides, std::size_t steps) {
  if (!deviation.first_different) return "bit-equal over " + counted(steps, "step");
  const auto at = [&](std::size_t step) { return values_at(step, sides.baseline[step], (*deviation.current)[step]); };
  if (!deviation.first_outside) {
    return fmt::format("within tolerance over {}; furthest in {}; first difference in step {}", counted(steps, "step"),
                       at(deviation.worst_step), *deviation.first_different);
  }
  return fmt::format("out of tolerance from {}; first difference in step {}; furthest in {}",
                     at(*deviation.first_outside), *deviation.first_different, at(deviation.worst_step));
}

void fill_figures(const Deviation& deviation, const NumericSides& sides, MetricVerdict& verdict) {
  const std::size_t step = deviation.first_outside.value_or(deviation.worst_step);
  const double before = sides.baseline[step];
  verdict.baseline = before;
  verdict.current = (*deviation.current)[step];
  if (before != 0) verdict.change = (*verdict.current - before) / std::abs(before);
}

/// Steps to compare, up to the horizon; absent if the two sides do not have the same ones.
std::optional<std::size_t> compared_steps(const NumericSides& sides) {
  const std::size_t steps = std::min(sides.steps, sides.baseline.size());
  for (const Trajectory& current : sides.current) {
    if (std::min(sides.steps, current.size()) != steps) return std::nullopt;
  }
  return steps;
}

Deviation worst_deviation(const NumericSides& sides, std::size_t steps) {
  Deviation worst = deviation_of(sides.current.front(), sides, steps);
  for (const Trajectory& current : sides.current.subspan(1)) {
    const Deviation other = deviation_of(current, sides, steps);
    if (other.worst > worst.worst) worst = other;
  }
  return worst;
}

/// Whether the replicates lie further apart than processes of one program do, up to the first step in which one of them
/// is out of tolerance.
bool differ_among_themselves(const NumericSides& sides, std::size_t compared) {
  std::size_t steps = compared;
  for (const Trajectory& current : sides.current) {
    if (const auto outside = deviation_of(current, sides, compared).first_outside)
      steps = std::min(steps, *outside + 1);
  }
  const auto agrees = [&](const Trajectory& other) {
    return agree_up_to_rounding(sides.current.front(), other, {sides.rtol, sides.atol}, steps);
  };
  return !std::ranges::all_of(sides.current.subspan(1), agrees);
}

}  // namespace

bool settle_non_finite(std::span<const Trajectory> current, MetricVerdict& verdict) {
  for (const Trajectory& values : current) {
    if (const auto step = first_non_finite(values)) {
      settle(verdict, Status::regressed, ReasonCode::non_finite, fmt::format("{} in step {}", values[*step], *step));
      return true;
    }
  }
  return false;
}

void apply_numeric_rule(const NumericSides& sides, MetricVerdict& verdict) {
  verdict.limit = sides.atol > 0 ? fmt::format("rtol {:g} + atol {:g}", sides.rtol, sides.atol)
                                 : fmt::format("rtol {:g}", sides.rtol);
  if (settle_non_finite(sides.current, verdict)) return;
  const auto steps = compared_steps(sides);
  if (!steps) {
    settle(verdict, Status::no_baseline, ReasonCode::incompatible_baseline,
           fmt::format("{} recorded, the baseline has {}", counted(sides.current.front().size(), "step"),
                       sides.baseline.size()));
    return;
  }
  const auto broken = first_non_finite(sides.baseline);
  if (broken && *broken < *steps) {
    settle(verdict, Status::inconclusive, ReasonCode::baseline_non_finite,
           fmt::format("the baseline holds {} in step {}: accept a baseline with finite values",
                       sides.baseline[*broken], *broken));
    return;
  }
  const Deviation worst = worst_deviation(sides, *steps);
  fill_figures(worst, sides, verdict);
  const std::string detail = describe(worst, sides, *steps);
  if (worst.first_outside && sides.rounded && differ_among_themselves(sides, *steps)) {
    settle(verdict, Status::inconclusive, ReasonCode::replicates_disagree,
           detail + "; the processes differ among themselves by more than rounding");
  } else if (worst.first_outside) {
    settle(verdict, Status::regressed, ReasonCode::numerics_changed, detail);
  } else {
    settle(verdict, Status::pass, worst.first_different ? ReasonCode::within_limit : ReasonCode::equal, detail);
  }
}

}  // namespace stepgate
