// How the policy of a suite differs from that of the base, with the direction of each difference.
#pragma once

#include <string>
#include <vector>

#include "core/stored/policy.h"
#include "core/verdict/limit_change.h"

namespace stepgate {

struct PolicySides {
  std::string suite;
  const Policy& base;
  const Policy& head;
  std::vector<std::string> cases;  ///< cases of the suite that both sides have
};

/// One entry for each limit that differs. What a pattern names is compared by the cases that it names.
std::vector<LimitChange> policy_changes(const PolicySides& sides);

}  // namespace stepgate
