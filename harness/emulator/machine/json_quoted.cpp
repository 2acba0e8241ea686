#include "emulator/machine/json_quoted.h"

#include <array>
#include <cstdio>

namespace stepgate::emulator {

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(letter));
      quoted += escape.data();
      continue;
    }
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace stepgate::emulator
