// What a terminal, a runner or CTest would obey in a text: an independent, simpler reading of the rules of log_text.h.
#pragma once

#include <regex>
#include <string>

#include "report/text/log_text.h"

namespace stepgate {

/// The first thing that would be obeyed, "" if there is none.
inline std::string fault_of_log(std::string text, Colours colours) {
  if (colours == Colours::kept) {
    static const std::regex colour("\x1b\\[(0|1;31|33|36|32|2)m");
    text = std::regex_replace(text, colour, "");
  }
  for (const unsigned char c : text) {
    if ((c < 0x20 && c != '\n') || c == 0x7F) return "control character " + std::to_string(c);
  }
  // C1 controls, directions, separators of lines, white space beyond ASCII.
  static const std::regex hidden("\xC2[\x80-\x9F]|\xE2\x80[\xA8-\xAE]|\xE2\x81[\xA6-\xA9]");
  if (std::regex_search(text, hidden)) return "C1 control, direction or separator";
  static const std::regex command("(^|\n)( |\xC2\xA0|\xE2\x80[\x80-\x8A\xAF]|\xE2\x81\x9F|\xE3\x80\x80)*::");
  if (std::regex_search(text, command)) return "workflow command";
  static const std::regex old_command("##[A-Za-z]*\\[");
  if (std::regex_search(text, old_command)) return "old command";
  for (const char* word : {"<CTest", "<DartMeasurement", "CTEST_FULL_OUTPUT", "[[ATTACHMENT|"}) {
    if (text.find(word) != std::string::npos) return word;
  }
  return "";
}

}  // namespace stepgate
