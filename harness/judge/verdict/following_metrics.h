// Which gating times decide a case by pairs: the leading ones always, the following ones where they are decided.
#pragma once

#include <vector>

#include "core/verdict/verdict.h"
#include "judge/verdict/paired_verdict.h"

namespace stepgate {

/// Once every leading metric is decided, a following metric that may stay undecided (following_rule.h) no longer gates:
/// it stays inconclusive, with the reason "left-undecided" and its figures. A metric that a pre-check asked about
/// counts as leading (PairedValues::asked). Without a decided leading metric nothing changes.
void leave_following_undecided(const PairedContext& context, std::vector<MetricVerdict>& verdicts);

}  // namespace stepgate
