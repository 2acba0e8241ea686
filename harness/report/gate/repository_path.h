// Which paths may be shown as links into the repository?
#pragma once

#include <string_view>

namespace stepgate {

/// Relative and never leaving the repository: anything else would point into the disk of a runner.
bool is_repository_path(std::string_view path);

}  // namespace stepgate
