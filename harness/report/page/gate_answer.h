// The first lines of the page of verdicts: how many cases of which verdict, what is worst and why, what to do, and what
// was measured where.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/run_report.h"
#include "report/page/gate_page_input.h"
#include "report/page/page_model.h"

namespace stepgate {

/// "1 regressed", "18 pass", worst first; "nothing measured" for an empty run.
std::vector<PageCount> answer_counts(const RunReport& report);

/// The worst case with its change, its cause with the line, and what to do next. One sentence where all pass.
std::vector<PageItem> answer_sentences(const GatePageInput& input);

/// Commit, reference, runner class, time.
std::vector<std::string> answer_facts(const RunReport& report);

}  // namespace stepgate
