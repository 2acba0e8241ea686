#include "core/text/switch_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace stepgate {

std::optional<bool> switch_in(std::string_view text) {
  constexpr std::array<std::string_view, 4> on = {"1", "true", "yes", "on"};
  constexpr std::array<std::string_view, 5> off = {"0", "false", "no", "off", ""};
  std::string word(text);
  for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (std::find(on.begin(), on.end(), word) != on.end()) return true;
  if (std::find(off.begin(), off.end(), word) != off.end()) return false;
  return std::nullopt;
}

}  // namespace stepgate
