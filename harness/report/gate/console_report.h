// A gate run on a terminal: the verdict first, then what is wrong with its cause and the next command.
#pragma once

#include <cstddef>
#include <string>

#include "core/verdict/run_report.h"
#include "report/text/console_style.h"

namespace stepgate {

/// Last lines of a failed process that a report shows; the record holds all of them.
inline constexpr std::size_t shown_output_lines = 8;

std::string render_console(const RunReport& report, const ConsoleStyle& style);

/// The end of that page: lines of an exit sentence, wrapped; a line that begins with two blanks is a command and stays.
std::string render_last_lines(const std::string& sentence, const ConsoleStyle& style);

}  // namespace stepgate
