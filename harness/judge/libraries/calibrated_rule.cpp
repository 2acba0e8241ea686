#include "judge/libraries/calibrated_rule.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "core/stored/calibrated_sum.h"
#include "core/text/number_format.h"
#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

bool awaits_shapes(const MetricVerdict& verdict) {
  return verdict.status == Status::not_judged && verdict.reason == ReasonCode::library_shapes_differ;
}

bool has_figures(const MetricVerdict& verdict) {
  return verdict.status == Status::pass || verdict.status == Status::improved || verdict.status == Status::regressed ||
         awaits_shapes(verdict);
}

std::string why_incomplete(const CalibratedSum& before, const CalibratedSum& now) {
  for (const CalibratedSum* sum : {&before, &now}) {
    if (!sum->unknown.empty()) return sum->unknown;
  }
  std::set<std::string> missing(before.missing.begin(), before.missing.end());
  missing.insert(now.missing.begin(), now.missing.end());
  return counted(static_cast<std::int64_t>(missing.size()), "library call is", "library calls are") + " not in it";
}

void judge_sums(const CalibratedSum& before, const CalibratedSum& now, std::int64_t tolerance, MetricVerdict& verdict) {
  const double more = now.kernels - before.kernels;
  const double allowed = static_cast<double>(tolerance) * now.steps;
  if (more > allowed) {
    settle(verdict, Status::regressed, ReasonCode::above_limit, verdict.detail);
  } else if (more > 0) {
    settle(verdict, Status::pass, ReasonCode::within_limit, verdict.detail);
  } else if (more < 0) {
    settle(verdict, Status::improved, ReasonCode::below_baseline, verdict.detail);
  } else {
    settle(verdict, Status::pass, ReasonCode::equal, verdict.detail);
  }
}

}  // namespace

void apply_calibration(const CalibratedSides& sides, MetricVerdict& verdict) {
  if (!has_figures(verdict)) return;
  const CalibratedSum before = calibrated_sum(sides.calibration, {sides.baseline.exact, sides.baseline.device_calls});
  const CalibratedSum now = calibrated_sum(sides.calibration, {sides.current.per_step, sides.current.device_calls});
  const std::string name = name_of_calibration(sides.calibration);
  if (!before.is_complete() || !now.is_complete() || before.steps != now.steps) {
    verdict.detail += fmt::format("; not calibrated by {}: {}", name, why_incomplete(before, now));
    return;
  }
  verdict.baseline = before.kernels_per_step();
  verdict.current = now.kernels_per_step();
  verdict.change.reset();
  if (*verdict.baseline > 0) verdict.change = *verdict.current / *verdict.baseline - 1;
  const std::string figures =
      fmt::format("{:g} -> {:g} per step, calibrated by {}", *verdict.baseline, *verdict.current, name);
  if (!awaits_shapes(verdict)) {
    verdict.detail += "; " + figures;
    return;
  }
  verdict.detail = figures;
  judge_sums(before, now, sides.tolerance, verdict);
}

}  // namespace stepgate
