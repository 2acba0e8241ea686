// Whether a source file belongs to the user.
#pragma once

#include <string_view>

namespace stepgate {

/// Whether a file holds code of the user: not of LibTorch, a fetched dependency or the system, and no header of the
/// harness. source_lines.h already drops the places of the harness's sources. Pure.
bool is_user_file(std::string_view file);

}  // namespace stepgate
