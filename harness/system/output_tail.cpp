#include "system/output_tail.h"

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} * 1024;

bool is_plain(char c) { return c == '\n' || c == '\t' || (c >= ' ' && c <= '~'); }

}  // namespace

std::string output_tail(std::string_view printed, std::size_t lines) {
  std::string text(printed.substr(printed.size() - std::min(printed.size(), most_bytes)));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return !is_plain(c); }, '?');
  text.erase(text.find_last_not_of('\n') + 1);
  std::size_t start = text.size();
  for (std::size_t kept = 0; start > 0; --start) {
    if (text[start - 1] == '\n' && ++kept == lines) break;
  }
  return text.substr(start);
}

}  // namespace stepgate
