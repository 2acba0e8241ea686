// Whether outside interference spoilt a replicate, decided from evidence alone: no timing is ever looked at.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/evidence.h"

namespace stepgate {

/// Evidence key -> highest value of a clean replicate. Only signals that the measured code cannot cause itself: a
/// regression that faults or waits more must not excuse itself. Origin of the numbers: notes/noise.md B, "Verdict".
/// Not limited by default: runqueue_wait_fraction and foreign_busy_fraction, whose quiet level differs between
/// machines (seen: 0.7 to 3.5 % on one quiet machine), so that a limit needs calibration first; switches, faults and
/// load_average, which the measured code or an earlier replicate moves itself.
std::map<std::string, double> default_taint_limits();

/// `limits` over the defaults, key by key: how a policy tightens, loosens or adds a limit.
std::map<std::string, double> taint_limits_with(const std::map<std::string, double>& limits);

/// One sentence for each value above its limit, e.g. "steal_fraction 0.034 above 0.01"; empty: clean. A value that is
/// not there spoils nothing. Pure.
std::vector<std::string> taint_reasons(const Evidence& evidence, const std::map<std::string, double>& limits);

}  // namespace stepgate
