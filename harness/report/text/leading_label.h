// What the time of a table of cases is: of a step or of a request.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// "step time", "mean latency" where all cases infer, "step time or latency" where some do.
std::string leading_label(const RunReport& report);

}  // namespace stepgate
