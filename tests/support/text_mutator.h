// Random damage to a text, for loops over readers. Under the sanitizers such a loop finds what a reader reads out of
// bounds. The seed is fixed, so that a failure repeats.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace stepgate {

class TextMutator {
 public:
  explicit TextMutator(std::uint64_t seed) : random_(seed) {}

  /// `text` with one to three of: a piece removed, doubled, moved or replaced by something that numbers and JSON
  /// readers stumble over.
  std::string mutated(std::string text) {
    for (std::size_t left = 1 + below(3); left > 0; --left) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  void change(std::string& text) {
    static constexpr std::array<std::string_view, 28> pieces = {
        "",      "-",          "0",           "-1",       "9223372036854775808",
        "1e999", "nan",        "Infinity",    "0x7f",     "1-",
        "{",     "}",          "[",           "]",        "\"",
        ",",     ":",          "null",        "\xff\xfe", "\n",
        "\t",    "  \n",       "{}[]",        "/*",       "99999999999999999999",
        "-0",    "0-99999999", "[[[[[[[[[[[["};
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(text.size() - at, 24) + 1);
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(at, length));
        break;
      case 2:
        text.replace(at, length, pieces[below(pieces.size())]);
        break;
      case 3:
        text.resize(at);
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
    }
  }

  std::mt19937_64 random_;
};

}  // namespace stepgate
