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

ControlCheck check_control(const std::optional<ControlResult>& control) {
  if (!control || control->pairs.size() < 2) return {};
  ControlCheck check;
  check.pairs = std::ssize(control->pairs);
  const auto logs = pair_logs(control->pairs, 1);
  if (!logs) {
    check.outcome = ControlCheck::Outcome::moved;
    check.change = std::numeric_limits<double>::quiet_NaN();
    return check;
  }
  const auto n = static_cast<double>(check.pairs);
  const double spread = std::max(timer_resolution * std::sqrt(2.0), std::sqrt(sample_variance(logs->differences)));
  const double theta = mean(logs->differences);
  const double reach = student_t_upper_quantile(control_level / 2, n - 1) * spread / std::sqrt(n);
  check.outcome = std::abs(theta) > reach ? ControlCheck::Outcome::moved : ControlCheck::Outcome::still;
  check.change = std::expm1(theta);
  check.tolerance = std::expm1(reach);
  return check;
}

std::string describe(const ControlCheck& control) {
  if (control.outcome == ControlCheck::Outcome::absent) return "no control";
  if (!std::isfinite(control.change)) return "the control has a time that is zero, negative or not finite";
  const bool still = control.outcome == ControlCheck::Outcome::still;
  return fmt::format("control {} ({}, {})", still ? "still" : "moved", change_text(control.change),
                     counted(control.pairs, "pair"));
}

}  // namespace stepgate
