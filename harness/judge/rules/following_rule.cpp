#include "judge/rules/following_rule.h"

#include <cmath>

namespace stepgate {

bool may_stay_undecided(const PairedDecision& decision, const Margins& margins) {
  if (decision.call != Call::inconclusive || decision.analysis == 0) return false;
  return decision.estimate.theta <= std::log1p(margins.ignore);
}

bool is_too_noisy(const PairedDecision& decision, const Margins& margins) {
  if (decision.call != Call::inconclusive || decision.analysis == 0) return false;
  return !decision.red_after && decision.interval.lower <= margins.ignore;
}

}  // namespace stepgate
