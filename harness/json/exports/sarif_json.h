// Findings with a line of code as SARIF 2.1.0, for code scanning.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// Only findings of judged cases whose line lies in the repository. Level "error" only where the case is red, so that a
/// warning never blocks. The fingerprint (case, metric, code) has no number, so one fault stays one alert; the
/// automation id names the runner class, so that classes do not close each other's alerts.
std::string sarif_text(const RunReport& report);

}  // namespace stepgate
