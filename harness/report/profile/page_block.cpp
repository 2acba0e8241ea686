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

}  // namespace stepgate
