// The numbers of one case as CTest measurements: printed on stdout they reach Test.xml and from there a dashboard.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// One line per finite metric and one for the verdict.
std::string render_ctest_measurements(const Outcome& outcome);

}  // namespace stepgate
