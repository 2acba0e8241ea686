// A history on the terminal.
#pragma once

#include <string>

#include "core/study/history_report.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Every series: sparkline of each epoch, levels, changes with their commits, creep.
std::string render_history(const HistoryReport& report, const ConsoleStyle& style);

/// What `history check` found: each series with an alert, and the command that acknowledges it; else how much was
/// looked at.
std::string render_history_check(const HistoryReport& report, const ConsoleStyle& style);

}  // namespace stepgate
