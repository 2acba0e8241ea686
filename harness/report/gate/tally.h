// A gate run in one sentence: how many cases of which status, and what the exit status means.
#pragma once

#include <string>

#include "core/verdict/run_report.h"

namespace stepgate {

/// A report of `stepgate ab` or `merge`: both sides are builds, so it has no baseline.
bool is_of_two_builds(const RunReport& report);

/// "1 regressed, 2 not measured, 1 no baseline, 3 pass", worst first; "nothing measured" for an empty run. Limits that
/// the tree loosens follow: "3 pass, 2 limits loosened".
std::string tally(const RunReport& report);

/// "exit status 1: 1 regressed. ...": why, and what to do about it.
std::string exit_sentence(const RunReport& report);

/// The same for a caller that gets another status: 77 where CTest shows an open verdict as skipped.
std::string exit_sentence(const RunReport& report, int status);

/// What --expect-all says: what the status means, what was judged and what not, and the command that judges the rest,
/// which begins with two blanks. Several lines; texts of programs are in them.
std::string expect_all_sentence(const RunReport& report, int status);

}  // namespace stepgate
