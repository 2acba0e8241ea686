// "1", "yes", "off": the text of an environment variable that is on or off.
#pragma once

#include <optional>
#include <string_view>

namespace stepgate {

/// 1, true, yes and on are on; 0, false, no, off and "" are off, in capitals too. Absent for any other text.
std::optional<bool> switch_in(std::string_view text);

}  // namespace stepgate
