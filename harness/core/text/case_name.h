// The form of a case's name. Names become folders and appear in CTest, so they use only characters that every file
// system and shell accepts without quotes; ".." is not allowed.
#pragma once

#include <string_view>

namespace stepgate {

/// [a-z0-9_]+
bool is_name_part(std::string_view text);

/// [a-z0-9_]+(/[a-z0-9_]+)+
bool is_case_name(std::string_view text);

}  // namespace stepgate
