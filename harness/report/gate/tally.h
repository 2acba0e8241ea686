// A gate run in one sentence: how many cases of which status, and what the exit status means.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// "1 regressed, 2 not measured, 1 no baseline, 3 pass", worst first; "nothing measured" for an empty run.
std::string tally(const RunReport& report);

/// "exit status 1: 1 regressed. ...": why, and what to do about it.
std::string exit_sentence(const RunReport& report);

}  // namespace stepgate
