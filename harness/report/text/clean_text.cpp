#include "report/text/clean_text.h"

#include <algorithm>

#include "core/text/code_point.h"

namespace stepgate {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Applies `shown(code point, its bytes)` to each character, and puts U+FFFD for malformed bytes.
template <typename Shown>
std::string each_character(std::string_view text, Shown shown) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    result += point.value ? std::string(shown(*point.value, text.substr(0, point.length))) : std::string(replacement);
    text.remove_prefix(point.length);
  }
  return result;
}

}  // namespace

std::string terminal_text(std::string_view text, bool ascii) {
  const auto shown = [&](std::uint32_t value, std::string_view bytes) -> std::string_view {
    if (value == '\n' || value == '\r' || value == '\t') return " ";
    if (is_control(value) || (ascii && value >= 0x80)) return "?";
    return bytes;
  };
  std::string result = each_character(text, shown);
  if (!ascii) return result;
  for (std::size_t at = result.find(replacement); at != std::string::npos; at = result.find(replacement)) {
    result.replace(at, replacement.size(), "?");
  }
  return result;
}

std::string xml_text(std::string_view text) {
  return each_character(text, [](std::uint32_t value, std::string_view bytes) -> std::string_view {
    const bool allowed = value == '\t' || value == '\n' || (!is_control(value) && value != 0xFFFE && value != 0xFFFF);
    return allowed ? bytes : replacement;
  });
}

std::optional<std::uint32_t> harmful_code_point(std::string_view character) {
  if (character.empty()) return std::nullopt;
  const CodePoint point = first_code_point(character);
  return point.length == character.size() && point.value && is_control(*point.value) ? point.value : std::nullopt;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

namespace {

/// The byte at which the first `count` characters of a valid UTF-8 text end.
std::size_t byte_after(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    --count;
  }
  return at;
}

}  // namespace

std::string shortened(const std::string& text, std::size_t width, bool ascii) {
  const std::size_t length = columns(text);
  if (length <= width) return text;
  const std::string gap = ascii ? ".." : "…";
  if (width <= columns(gap)) return text.substr(0, byte_after(text, width));
  const std::size_t kept = width - columns(gap);
  const std::size_t front = (kept + 1) / 2;
  return text.substr(0, byte_after(text, front)) + gap + text.substr(byte_after(text, length - (kept - front)));
}

std::string padded_right(const std::string& text, std::size_t width) {
  const std::size_t length = columns(text);
  return length >= width ? text : text + std::string(width - length, ' ');
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t length = columns(text);
  return length >= width ? text : std::string(width - length, ' ') + text;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && columns(line) + 1 + columns(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  lines.push_back(line);
  return lines;
}

}  // namespace stepgate
