#include "report/text/log_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "report/text/clean_text.h"
#include "report/text/console_colour.h"

namespace stepgate {
namespace {

/// Texts that programs search for anywhere in a line of a log. Each is split behind its first character.
constexpr std::array<std::string_view, 4> searched = {"<CTest", "<DartMeasurement", "CTEST_FULL_OUTPUT",
                                                      "[[ATTACHMENT|"};

/// "##[error]", "##vso[...]", "##teamcity[...]": two signs, letters, a bracket.
bool begins_old_command(std::string_view text) {
  if (!text.starts_with("##")) return false;
  text.remove_prefix(2);
  while (!text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  return text.starts_with('[');
}

bool begins_command(std::string_view text) {
  return begins_old_command(text) ||
         std::any_of(searched.begin(), searched.end(), [&](std::string_view word) { return text.starts_with(word); });
}

/// The length of the blank with which `text` begins, 0 without one. GitHub's runner trims what .NET calls white space;
/// terminal_text() has left only these of it.
std::size_t blank_length(std::string_view text) {
  if (text.starts_with(' ')) return 1;
  if (text.starts_with("\xC2\xA0")) return 2;  // no-break space
  for (const std::string_view wide : {"\xE1\x9A\x80", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"}) {
    if (text.starts_with(wide)) return wide.size();
  }
  const bool is_wide = text.starts_with("\xE2\x80") && text.size() > 2 && text[2] <= '\x8A';
  return is_wide ? 3 : 0;  // U+2000 to U+200A
}

/// The bytes of a line before its first character that is neither blank nor part of a colour.
std::size_t start_of(std::string_view line) {
  std::size_t at = 0;
  for (std::size_t length = 1; length > 0; at += length) {
    length = std::max(blank_length(line.substr(at)), colour_length(line.substr(at)));
  }
  return at;
}

std::string without_commands(std::string_view line) {
  const std::size_t start = start_of(line);
  std::string result(line.substr(0, start));
  line.remove_prefix(start);
  const bool is_command = line.starts_with("::");
  for (std::size_t at = 0; at < line.size(); ++at) {
    result += line[at];
    if ((at == 0 && is_command) || begins_command(line.substr(at))) result += ' ';
  }
  return result;
}

/// Cleans what lies between the colours.
std::string cleaned_line(std::string_view line, Colours colours) {
  std::string result;
  while (!line.empty()) {
    const std::size_t colour = colours == Colours::kept ? colour_length(line) : 0;
    result += line.substr(0, colour);
    line.remove_prefix(colour);
    const std::size_t end = std::min(line.find('\x1b', colour > 0 ? 0 : 1), line.size());
    result += terminal_text(line.substr(0, end), false);
    line.remove_prefix(end);
  }
  return result;
}

/// The escape of the character with which `text` begins if a terminal would interpret it, "" otherwise. JSON escapes
/// the controls below 0x20 itself.
struct JsonEscape {
  std::string text;
  std::size_t length = 0;  ///< bytes that it stands for
};

JsonEscape json_escape(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first >= 0x20 && first < 0x7F && std::string_view("#<C[").find(text[0]) == std::string_view::npos) return {};
  if (begins_command(text)) return {fmt::format("\\u{:04x}", static_cast<unsigned char>(text[0])), 1};
  for (const std::size_t length : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    if (text.size() < length) break;
    const std::string_view character = text.substr(0, length);
    const auto code = harmful_code_point(character);
    if (code && character != "\n") return {fmt::format("\\u{:04x}", *code), length};
  }
  return {};
}

}  // namespace

std::string log_text(std::string_view page, Colours colours) {
  std::string result;
  result.reserve(page.size());
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    result += without_commands(cleaned_line(page.substr(0, end), colours));
    if (end < page.size()) result += '\n';
    page.remove_prefix(std::min(end + 1, page.size()));
  }
  return result;
}

std::string log_json(std::string_view document) {
  std::string result;
  result.reserve(document.size());
  while (!document.empty()) {
    const JsonEscape escape = json_escape(document);
    const std::size_t length = std::max<std::size_t>(1, escape.length);
    result += escape.length > 0 ? escape.text : std::string(document.substr(0, length));
    document.remove_prefix(length);
  }
  return result;
}

}  // namespace stepgate
