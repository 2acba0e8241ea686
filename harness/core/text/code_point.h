// Characters of a text in UTF-8, which another program may have written: malformed bytes, and what a terminal obeys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stepgate {

struct CodePoint {
  std::optional<std::uint32_t> value;  ///< absent: malformed
  std::size_t length = 1;              ///< bytes
};

/// Of a text that is not empty. A malformed byte is one of its own. RFC 3629.
CodePoint first_code_point(std::string_view text);

/// Control characters, and those that turn or end a line of text.
bool is_control(std::uint32_t value);

}  // namespace stepgate
