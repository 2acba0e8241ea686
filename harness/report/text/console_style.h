// The style of a terminal page.
#pragma once

#include <string>

namespace stepgate {

struct ConsoleStyle {
  bool color = false;              ///< the caller decides by TTY, NO_COLOR and --color
  bool ascii = false;              ///< only ASCII, for logs that damage UTF-8
  int width = 100;                 ///< columns; commands and paths are never wrapped, so that they can be copied
  bool verbose = false;            ///< every metric in the table, every finding, fingerprints
  std::string exit_sentence = {};  ///< the last line, where the caller gets another status than that of the report
};

}  // namespace stepgate
