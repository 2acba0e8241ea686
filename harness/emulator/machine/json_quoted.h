// A text as JSON writes it.
#pragma once

#include <string>
#include <string_view>

namespace stepgate::emulator {

/// With its quotation marks.
std::string json_quoted(std::string_view text);

}  // namespace stepgate::emulator
