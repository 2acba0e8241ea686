#include "core/text/text_lines.h"

#include <algorithm>
#include <utility>

namespace stepgate {
namespace {

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> last_of(std::vector<std::string> lines, std::size_t most) {
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
  return lines;
}

}  // namespace

std::vector<std::string> last_lines(std::string_view text, std::size_t most) { return last_of(lines_in(text), most); }

std::vector<std::string> last_lines_without_frames(std::string_view text, std::size_t most) {
  std::vector<std::string> lines = lines_in(text);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("frame #"); });
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines.empty() ? last_lines(text, most) : last_of(std::move(lines), most);
}

std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }, ' ');
  return text;
}

}  // namespace stepgate
