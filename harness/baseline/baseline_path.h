// Where the baseline of a case lives: <root>/<runner class or "portable">/<case name>.json
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stepgate {

inline constexpr std::string_view portable_class = "portable";

/// Throws Error(usage) unless `runner_class` is [a-z0-9_-]+ and `case_name` is [a-z0-9_]+(/[a-z0-9_]+)+: names become
/// folders and appear in CTest, so they stay within what every file system and shell takes as it is.
std::filesystem::path baseline_path(const std::filesystem::path& root, const std::string& runner_class,
                                    const std::string& case_name);

}  // namespace stepgate
