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

/// For a metric that never withholds a verdict (core/metric_row.h): true for one that an interim analysis has judged
/// and that its own spread leaves undecided there. Not where its whole interval lies above the ignore margin, and not
/// where further pairs of the plan would call it regressed with this change and this spread: they are worth their time.
bool is_too_noisy(const PairedDecision& decision, const Margins& margins);

}  // namespace stepgate
