#include "report/profile/page_block.h"

#include <algorithm>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

constexpr std::size_t widest_page = 120;

}  // namespace

std::size_t page_width(const ConsolePage& page) { return std::min(widest_page, page.width()); }

void add_lines(ConsolePage& page, std::string_view label, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    page.line(padded_right(i == 0 ? std::string(label) : "", page_indent) + lines[i]);
  }
}

void add_wrapped(ConsolePage& page, std::string_view label, const std::string& text) {
  if (!text.empty()) add_lines(page, label, wrapped(page.clean(text), page_width(page) - page_indent));
}

std::string place_cell(const std::string& where, std::size_t width, const ConsolePage& page) {
  constexpr std::size_t least_of_function = 6;
  const std::string text = page.clean(where);
  const std::size_t space = text.find(' ');
  if (columns(text) <= width || space == std::string::npos) return shortened(text, width, page.style().ascii);
  const std::string line = text.substr(0, space);
  const std::size_t used = columns(line) + 1;
  if (used + least_of_function > width) return shortened(line, width, page.style().ascii);
  return line + " " + shortened(text.substr(space + 1), width - used, page.style().ascii);
}

}  // namespace stepgate
