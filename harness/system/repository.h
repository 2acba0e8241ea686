// Which repository of git a file belongs to.
#pragma once

#include <filesystem>

namespace stepgate {

/// The nearest folder above an absolute path that holds a .git (a file in a work tree of its own); empty where there is
/// none. Git says the same, at the price of a process for each file.
std::filesystem::path repository_around(const std::filesystem::path& file);

}  // namespace stepgate
