// Whether outside interference discarded a replicate, decided from evidence alone: no timing is ever looked at.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/record/evidence.h"

namespace stepgate {

/// Evidence key -> highest value of a clean replicate. Only signals that the measured code cannot cause itself: a
/// regression that faults or waits more must not excuse itself. Origin of the numbers: docs/design/guard.md, "What
/// discards a replicate". Not limited by default: switches, faults and load_average, which the measured code or an
/// earlier replicate moves itself. Run-queue wait and foreign load have limits from a quiet machine
/// (docs/quiet_machine.md); `ablate` prints what is quiet on yours.
std::map<std::string, double> default_taint_limits();

/// `limits` over the defaults, key by key: how a policy tightens, loosens or adds a limit.
std::map<std::string, double> taint_limits_with(const std::map<std::string, double>& limits);

/// One sentence for each value above its limit, e.g. "steal_fraction 0.034 above 0.01"; empty: clean. A value that is
/// not there discards nothing. Pure.
std::vector<std::string> taint_reasons(const Evidence& evidence, const std::map<std::string, double>& limits);

}  // namespace stepgate
