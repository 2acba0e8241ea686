// A gate run on a terminal: the verdict first, then what is wrong with its cause and the next command.
#pragma once

#include <string>

#include "core/run_report.h"

namespace stepgate {

struct ConsoleStyle {
  bool color = false;    ///< the caller decides: TTY, NO_COLOR, --color
  bool ascii = false;    ///< nothing beyond ASCII, for logs that mangle UTF-8
  int width = 100;       ///< columns; commands and paths are never wrapped, so that they can be copied
  bool verbose = false;  ///< every metric in the table, every finding, fingerprints
};

std::string render_console(const RunReport& report, const ConsoleStyle& style);

}  // namespace stepgate
