// Blocks of the console page of a profile: a label on the left, lines beside it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/text/console_page.h"

namespace stepgate {

inline constexpr std::size_t page_indent = 13;  ///< as ConsolePage::paragraph

/// At most 120 columns: a profile's tables are read, not scanned.
std::size_t page_width(const ConsolePage& page);

/// Lines below each other; the first one has the label.
void add_lines(ConsolePage& page, std::string_view label, const std::vector<std::string>& lines);

/// Nothing for an empty text.
void add_wrapped(ConsolePage& page, std::string_view label, const std::string& text);

/// "transformer.cpp:34 Block::attention" in that width: file and line stay whole as long as they fit.
std::string place_cell(const std::string& where, std::size_t width, const ConsolePage& page);

}  // namespace stepgate
