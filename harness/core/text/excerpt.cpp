#include "core/text/excerpt.h"

namespace stepgate {
namespace {

/// The second, third or fourth byte of a character.
bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string excerpt(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (continues_character(text[at])) continue;
    if (characters++ == most) return std::string(text.substr(0, at)) + "...";
  }
  // Bytes that only continue characters would never be counted.
  constexpr std::size_t most_bytes_each = 4;
  return std::string(text.size() > most * most_bytes_each ? text.substr(0, most) : text);
}

}  // namespace stepgate
