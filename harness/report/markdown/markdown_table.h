// Rows of metrics as a Markdown table: what needs looking at, and the rest.
#pragma once

#include "core/verdict/run_report.h"
#include "report/markdown/markdown_parts.h"

namespace stepgate {

/// Gating metrics that moved or could not be judged, and cases without a metric to show; worst first.
MarkdownPart problem_table(const RunReport& report);

/// Everything that is not in the problem table, folded.
MarkdownPart folded_table(const RunReport& report);

/// "language/char_lm/tiny (exact)", as code.
std::string markdown_case_name(const Outcome& outcome);

}  // namespace stepgate
