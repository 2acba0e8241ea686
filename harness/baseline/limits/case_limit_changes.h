// How the floors, budgets and targets of single cases differ between two policies.
#pragma once

#include <string_view>
#include <vector>

#include "baseline/limits/number_change.h"
#include "core/stored/absolute_limit.h"

namespace stepgate {

/// One list of limits in both policies, and the cases of the suite that both sides have.
struct CaseLimitSides {
  std::string_view key;  ///< of the policy
  AbsoluteLimitKind kind;
  const std::vector<CaseLimit>& base;
  const std::vector<CaseLimit>& head;
  const std::vector<std::string>& cases;
};

/// One entry for each metric, runner class and pair of values that differs, with the cases that it differs in. What a
/// pattern names is compared by the cases that it names, the strictest entry of each. A higher budget and a lower floor
/// let more pass; a target lets nothing pass, so that its change has no direction.
std::vector<NumberChange> case_limit_changes(const CaseLimitSides& sides);

}  // namespace stepgate
