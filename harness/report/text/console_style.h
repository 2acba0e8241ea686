// How a page is drawn on a terminal.
#pragma once

namespace stepgate {

struct ConsoleStyle {
  bool color = false;    ///< the caller decides: TTY, NO_COLOR, --color
  bool ascii = false;    ///< nothing beyond ASCII, for logs that mangle UTF-8
  int width = 100;       ///< columns; commands and paths are never wrapped, so that they can be copied
  bool verbose = false;  ///< every metric in the table, every finding, fingerprints
};

}  // namespace stepgate
