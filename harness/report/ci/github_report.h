// A gate run as GitHub workflow commands: annotations on the line of the baseline that a metric was held against.
#pragma once

#include <cstddef>
#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

struct GithubStyle {
  std::size_t most_per_kind =
      10;  ///< GitHub shows ten errors, ten warnings and ten notices of a step, and drops the rest
};

/// One command a line: errors for what regressed, failed or was not measured, warnings for what is inconclusive or has
/// no baseline, notices for what improved; worst first. Beyond most_per_kind the last one counts the rest and names
/// them.
std::string render_github(const RunReport& report, const GithubStyle& style);

}  // namespace stepgate
