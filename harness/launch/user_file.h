// Is a source file of the user?
#pragma once

#include <string_view>

namespace stepgate {

/// Whether a file holds code of the user: not of LibTorch, the harness, a fetched dependency or the system. Pure.
bool is_user_file(std::string_view file);

}  // namespace stepgate
