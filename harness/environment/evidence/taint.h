// Whether outside interference tainted a replicate, which is then discarded. Evidence alone decides, without any
// timing.
#pragma once

#include <string>
#include <vector>

#include "core/record/evidence.h"

namespace stepgate {

/// The limits of core/record/evidence_key.h.
TaintLimits default_taint_limits();

/// `limits` over the defaults, key by key: a policy tightens, loosens or adds limits.
TaintLimits taint_limits_with(const TaintLimits& limits);

/// One sentence for each value above its limit, e.g. "steal_fraction 0.034 above 0.01: the hypervisor ran another
/// machine". Empty: the replicate is clean. A missing value taints nothing. Pure.
std::vector<std::string> taint_reasons(const Evidence& evidence, const TaintLimits& limits);

}  // namespace stepgate
