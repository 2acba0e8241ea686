#include "system/output_tail.h"

#include "core/text/printable_text.h"

namespace stepgate {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} * 1024;

/// The last bytes of the text, without the rest of a character that is cut.
std::string_view last_bytes(std::string_view text) {
  if (text.size() <= most_bytes) return text;
  text.remove_prefix(text.size() - most_bytes);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U) text.remove_prefix(1);
  return text;
}

}  // namespace

std::string output_tail(std::string_view printed, std::size_t lines) {
  std::string text = printable_text(last_bytes(printed), "\n\t");
  text.erase(text.find_last_not_of('\n') + 1);
  std::size_t start = text.size();
  for (std::size_t kept = 0; start > 0; --start) {
    if (text[start - 1] == '\n' && ++kept == lines) break;
  }
  return text.substr(start);
}

}  // namespace stepgate
