// The lines of the user's code behind a finding.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// "at language/char_lm.cpp:61 in CharLm::forward, language/char_lm.cpp:70 in CharLm::loss": the lines that the message
/// does not name itself. "" for none.
std::string further_sources(const Finding& finding);

/// The first line that a cause of this metric names and that lies in the repository; of any cause for "". nullptr:
/// none.
const SourceFrame* line_behind(const Outcome& outcome, std::string_view metric);

/// Whether the finding explains that metric, or the whole case. What explains the step time explains the rates that
/// follow from it.
bool explains(const Finding& finding, std::string_view metric);

}  // namespace stepgate
