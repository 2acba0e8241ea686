#include "judge/verdict/control_check.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/text/number_format.h"
#include "judge/interval/stored_estimate.h"
#include "judge/reduce/pairs/pair_logs.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// A case takes a share of a change of the machine that scatters by 0.3 around 1 (decision 0030). A red uses .05 % at
/// its first analysis in a suite of 20, which is 3.3 standard deviations: 1 + 3.3 x 0.3.
constexpr double same_work_factor = 2;
/// A neighbour that takes memory bandwidth slowed a product with a copy by 5 to 9 %, and a copy alone by up to 45 %;
/// first steps scatter ten times as much as steps (decisions 0060 and 0012).
constexpr double other_work_factor = 10;

}  // namespace

ControlCheck check_control(const std::optional<ControlResult>& control) {
  if (!control || control->pairs.size() < 2) return {};
  ControlCheck check;
  check.pairs = std::ssize(control->pairs);
  const auto logs = pair_logs(control->pairs, 1);
  if (!logs) {
    check.outcome = ControlCheck::Outcome::moved;
    check.change = std::numeric_limits<double>::quiet_NaN();
    check.largest = std::numeric_limits<double>::infinity();
    return check;
  }
  const auto n = static_cast<double>(check.pairs);
  const double spread = std::max(timer_resolution * std::sqrt(2.0), std::sqrt(sample_variance(logs->differences)));
  const double theta = mean(logs->differences);
  const double reach = student_t_upper_quantile(control_level / 2, n - 1) * spread / std::sqrt(n);
  check.outcome = std::abs(theta) > reach ? ControlCheck::Outcome::moved : ControlCheck::Outcome::still;
  check.change = std::expm1(theta);
  check.tolerance = std::expm1(reach);
  check.interval = {std::expm1(theta - reach), std::expm1(theta + reach)};
  check.largest = std::abs(theta) + reach;
  return check;
}

double control_factor(const std::optional<ControlResult>& control, std::string_view case_name, const Metric& metric) {
  const bool same_work = control && control->case_name == case_name && !metric.follows;
  return same_work ? same_work_factor : other_work_factor;
}

double explained_by_control(const ControlCheck& control, double factor) {
  return control.outcome == ControlCheck::Outcome::moved ? factor * control.largest : 0;
}

bool stays_red(const PairedDecision& decision, const Margins& margins, double explained) {
  if (decision.call != Call::regressed) return false;
  return std::log1p(decision.interval.lower) > std::log1p(margins.ignore) + explained;
}

std::string describe(const ControlCheck& control) {
  if (control.outcome == ControlCheck::Outcome::absent) return "no control";
  if (!std::isfinite(control.change)) return "the control has a time that is zero, negative or not finite";
  const std::string change = change_text(control.change);
  const std::string pairs = counted(control.pairs, "pair");
  if (control.outcome == ControlCheck::Outcome::still) return fmt::format("control still ({}, {})", change, pairs);
  return fmt::format("control moved ({} {}, {})", change, interval_text(control.interval.lower, control.interval.upper),
                     pairs);
}

}  // namespace stepgate
