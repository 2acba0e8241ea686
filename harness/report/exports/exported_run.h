// Which values of a gate run go to other tools?
#pragma once

#include "core/verdict/exported_series.h"
#include "core/verdict/run_report.h"

namespace stepgate {

/// Every metric with a value, in the order of the cases and of the catalogue's verdicts; of an emulated GPU no time.
/// Throws Error(measure) for a value that is not finite, and where a case has a metric twice: readers keep one of the
/// two, silently.
ExportedRun exported_run(const RunReport& report);

}  // namespace stepgate
