// A gate run as JUnit XML: one testsuite per suite, one testcase per case and half.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

struct JunitStyle {
  bool inconclusive_is_error = true;       ///< else skipped
  bool missing_baseline_is_error = false;  ///< else skipped, with the reason
};

/// Failure texts carry verdict, causes and commands; properties carry the numbers. Characters that XML cannot hold are
/// replaced by U+FFFD.
std::string render_junit(const RunReport& report, const JunitStyle& style);

}  // namespace stepgate
