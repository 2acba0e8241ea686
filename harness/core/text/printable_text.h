// What another program printed, or calls itself, without anything that a terminal obeys.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// The text in UTF-8, with "?" for each malformed byte and each control character that is not in `kept`.
std::string printable_text(std::string_view text, std::string_view kept = {});

}  // namespace stepgate
