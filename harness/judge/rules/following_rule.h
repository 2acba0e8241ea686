// When the pairs of a case may end although a following metric is undecided (docs/design/verdicts.md, "Following
// metrics").
#pragma once

#include "core/stored/policy.h"
#include "judge/rules/paired_rule.h"

namespace stepgate {

/// True for an undecided metric that an interim analysis has judged and that does not look worse there: its estimate
/// lies within the ignore margin. One that looks worse keeps the run open, because nothing can be red before eight
/// pairs.
bool may_stay_undecided(const PairedDecision& decision, const Margins& margins);

}  // namespace stepgate
