// What a report judged and what not, as lines for a person: the halves of the cases, by the reason that left them open.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/run_report.h"

namespace stepgate {

/// "judged: 12 exact of 29, 0 timed of 17", then one line per reason, worst first: "not judged: 17 timed (no baseline
/// of this machine)"; then what is judged nowhere here. Texts of programs are in them, on one line. Empty for a report
/// that holds nothing, for two measurements, and for one half of one case that was judged.
std::vector<std::string> judged_lines(const RunReport& report);

/// What the command of report.judging does: "on a branch, this judges 5 of what was not, in about 4 to 12 min and the
/// build of the base:"; "" where there is none.
std::string judging_sentence(const RunReport& report);

}  // namespace stepgate
