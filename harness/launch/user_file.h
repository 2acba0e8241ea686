// Is a source file of the user?
#pragma once

#include <string_view>

namespace stepgate {

/// Whether a file holds code of the user: not of LibTorch, a fetched dependency or the system, and no header of the
/// harness. Of its sources source_lines.h drops the place already. Pure.
bool is_user_file(std::string_view file);

}  // namespace stepgate
