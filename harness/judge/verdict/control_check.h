// The A/A control of a run: does the base build differ from its own byte copy?
#pragma once

#include <optional>
#include <string>

#include "core/verdict/paired_values.h"

namespace stepgate {

struct ControlCheck {
  enum class Outcome { still, moved, absent };
  Outcome outcome = Outcome::absent;
  double change = 0;     ///< relative, copy over base
  double tolerance = 0;  ///< smallest relative change up that would have counted as moved
  std::int64_t pairs = 0;
};

/// Two-sided (docs/design/verdicts.md, "A/A control"): one unchanged run in a hundred loses its reds to this control.
inline constexpr double control_level = 0.01;

/// t test against zero of ln(copy) - ln(base). It shows bias between the sides only, and never makes a red: with
/// no control, or fewer than two pairs, the outcome is absent. A value that is not positive and finite counts as moved:
/// such a control has shown that the two sides are not measured alike.
ControlCheck check_control(const std::optional<ControlResult>& control);

/// "control still (+0.1 %, 8 pairs)", "no control"
std::string describe(const ControlCheck& control);

}  // namespace stepgate
