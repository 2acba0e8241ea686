// The colours of a terminal page: the only escape sequences that stepgate prints.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/verdict/verdict.h"

namespace stepgate {

/// A colour of the 16-colour palette, which is readable in every theme.
std::string_view colour_of(Status status);

inline constexpr std::string_view colour_end = "\x1b[0m";

/// The length of the colour with which `text` begins (or of its end); 0 where it does not begin with one of these.
std::size_t colour_length(std::string_view text);

}  // namespace stepgate
