// Cuts a text that a message quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stepgate {

/// Enough to recognise a value, short enough for one line of a terminal.
inline constexpr std::size_t most_quoted_characters = 80;

/// The first `most` characters of `text`, then "..." where there are more. A character of UTF-8 is never cut in two.
std::string excerpt(std::string_view text, std::size_t most = most_quoted_characters);

}  // namespace stepgate
