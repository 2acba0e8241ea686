#include "json/text/loose_numbers.h"

#include <array>

namespace stepgate {
namespace {

// Longest first: "-Infinity" must not match as a minus and an "Infinity". JSON has no unquoted words other than true,
// false and null, so valid JSON contains none of these.
constexpr std::array<std::string_view, 8> words = {"-Infinity", "Infinity", "-NaN", "NaN",
                                                   "-inf",      "inf",      "-nan", "nan"};

/// Length of the word at the beginning of `rest`, 0 if there is none.
std::size_t word_length(std::string_view rest) {
  for (std::string_view word : words) {
    if (rest.starts_with(word)) return word.size();
  }
  return 0;
}

/// "null" is one letter longer than the shortest word, so it also replaces the blank before that word, if any.
void put_null(std::string& text, std::size_t length) {
  if (length < 4 && !text.empty() && text.back() == ' ') text.pop_back();
  text += "null";
  text.append(length > 4 ? length - 4 : 0, ' ');
}

}  // namespace

std::string without_bare_non_finite(std::string_view text) {
  std::string result;
  result.reserve(text.size() + 16);
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (quoted && letter == '\\' && at + 1 < text.size()) {
      result += letter;
      result += text[++at];
      continue;
    }
    if (letter == '"') quoted = !quoted;
    const std::size_t length = quoted ? 0 : word_length(text.substr(at));
    if (length == 0) {
      result += letter;
      continue;
    }
    put_null(result, length);
    at += length - 1;
  }
  return result;
}

}  // namespace stepgate
