// The A/A control of a run: a test whether the base build differs from its own A/A copy.
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

/// Two-sided (docs/design/verdicts.md, "A/A control"): in one unchanged run of a hundred the control moves by chance.
inline constexpr double control_level = 0.01;

/// t test against zero of ln(copy) - ln(base). It only shows bias between the sides and never makes a red. The outcome
/// is absent without a control or with fewer than two pairs. A value that is not positive and finite counts as moved,
/// because it shows that the two sides are not measured alike.
ControlCheck check_control(const std::optional<ControlResult>& control);

/// "control still (+0.1 %, 8 pairs)", "no control"
std::string describe(const ControlCheck& control);

}  // namespace stepgate
