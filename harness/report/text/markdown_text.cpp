#include "report/text/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

/// U+2060: invisible and not a letter. GitHub searches the rendered text for mentions and references. An escape is gone
/// there, but this character remains.
constexpr std::string_view word_joiner = "\xE2\x81\xA0";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Inside a word, as in char_lm, GitHub treats '_' as a letter.
bool is_inside_word(std::string_view text, std::size_t at) {
  return at > 0 && at + 1 < text.size() && is_word(text[at - 1]) && is_word(text[at + 1]);
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Whether `word`, in small letters, ends just before `at`.
bool follows(std::string_view text, std::size_t at, std::string_view word) {
  return at >= word.size() && std::equal(word.begin(), word.end(), text.begin() + (at - word.size()),
                                         [](char a, char b) { return a == lower(b); });
}

/// "https://" and "www." become links without any markup.
bool starts_link(std::string_view text, std::size_t at) {
  if (text[at] == ':') return text.substr(at, 3) == "://";
  return text[at] == '.' && follows(text, at, "www");
}

/// Behind these GitHub would see a mention, an issue ("#17", "GH-17") or an address.
bool needs_joiner(std::string_view text, std::size_t at) {
  if (at + 1 == text.size()) return text[at] == '@';
  if (text[at] == '-') return follows(text, at, "gh");
  return text[at] == '@' || text[at] == '#' || starts_link(text, at);
}

/// Characters that are markup anywhere in a line (CommonMark 0.31 chapter 6, GFM: '|' '~', GitHub: '$').
bool is_markup(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '_') return !is_inside_word(text, at);
  return std::string_view("\\`*[]{}<>&#!|~$").find(c) != std::string_view::npos || starts_link(text, at);
}

}  // namespace

std::string markdown_text(std::string_view text, std::size_t width) {
  const std::string clean = shortened(terminal_text(text, false), width, false);
  std::string result;
  result.reserve(clean.size());
  for (std::size_t at = 0; at < clean.size(); ++at) {
    const char c = clean[at];
    // A numeric reference is never markup (CommonMark 2.5) and means the same in a table cell and in an HTML block.
    if (is_markup(clean, at)) {
      result += fmt::format("&#{};", static_cast<int>(c));
    } else {
      result += c;
    }
    if (needs_joiner(clean, at)) result += word_joiner;
  }
  return result;
}

std::string markdown_code(std::string_view text, std::size_t width) {
  return text.empty() ? "" : "<code>" + markdown_text(text, width) + "</code>";
}

std::string markdown_fence(std::string_view language, const std::vector<std::string>& lines) {
  std::string body;
  for (const std::string& line : lines) body += terminal_text(line, false) + '\n';
  std::size_t longest = 0;
  std::size_t run = 0;
  for (char c : body) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fmt::format("{}{}\n{}{}\n", fence, language, body, fence);
}

}  // namespace stepgate
