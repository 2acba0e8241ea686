// The A/A control of a run: a test whether the base build differs from its own A/A copy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/metric.h"
#include "core/stored/policy.h"
#include "core/verdict/paired_values.h"
#include "core/verdict/verdict.h"
#include "judge/rules/paired_rule.h"

namespace stepgate {

struct ControlCheck {
  enum class Outcome { still, moved, absent };
  Outcome outcome = Outcome::absent;
  double change = 0;     ///< relative, copy over base
  double tolerance = 0;  ///< smallest relative change up that would have counted as moved
  std::int64_t pairs = 0;
  Interval interval;   ///< of the change: both ends at control_level, together
  double largest = 0;  ///< the end farther from zero, as a size on the log scale; infinite for a time without logarithm
};

/// Two-sided (docs/design/verdicts.md, "A/A control"): in one unchanged run of a hundred the control moves by chance.
inline constexpr double control_level = 0.01;

/// t test against zero of ln(copy) - ln(base). It only shows bias between the sides and never makes a red. The outcome
/// is absent without a control or with fewer than two pairs. A value that is not positive and finite counts as moved,
/// because it shows that the two sides are not measured alike.
ControlCheck check_control(const std::optional<ControlResult>& control);

/// How many times as hard as the control a metric of a case may have been hit by what moved the control
/// (docs/decisions/0060): a time of whole steps of the control's own case by less than one of other work.
double control_factor(const std::optional<ControlResult>& control, std::string_view case_name, const Metric& metric);

/// The largest part of a change, on the log scale, that what moved the control can have made: `factor` times the
/// largest shift that the control's interval holds. Its sign does not count: what favours a side in one program may
/// hinder it in another. 0 where the control did not move.
double explained_by_control(const ControlCheck& control, double factor);

/// Whether a red stays one without its part `explained`: the lower end of its interval, at the level of its red, must
/// exceed the ignore margin and that part together.
bool stays_red(const PairedDecision& decision, const Margins& margins, double explained);

/// "control still (+0.1 %, 8 pairs)", "control moved (+0.30 % [+0.10 %, +0.50 %], 8 pairs)", "no control"
std::string describe(const ControlCheck& control);

}  // namespace stepgate
