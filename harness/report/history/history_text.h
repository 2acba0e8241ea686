// A history on the terminal.
#pragma once

#include <filesystem>
#include <string>

#include "core/study/history_report.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Every series: sparkline of each epoch, levels, changes with their commits, drift; then what could not be read.
std::string render_history(const HistoryReport& report, const ConsoleStyle& style);

/// The command that acknowledges a change, as the caller would type it.
struct AcknowledgeCommand {
  std::string program = "stepgate";
  std::filesystem::path history = {};  ///< empty: the folder that the command takes without an option
};

/// What `history check` found: each series with an alert, and the command that acknowledges it; each series that was
/// not judged, and why; files that were left out; how much was looked at.
std::string render_history_check(const HistoryReport& report, const AcknowledgeCommand& acknowledge,
                                 const ConsoleStyle& style);

}  // namespace stepgate
