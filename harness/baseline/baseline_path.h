// The path of a case's baseline: <root>/<runner class or "portable">/<case name>.json
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stepgate {

inline constexpr std::string_view portable_class = "portable";

/// Throws Error(usage) unless `runner_class` is [a-z0-9_-]+ and `case_name` is [a-z0-9_]+(/[a-z0-9_]+)+. Names become
/// folders and appear in CTest, so they use only characters that every file system and shell accepts without quotes.
std::filesystem::path baseline_path(const std::filesystem::path& root, const std::string& runner_class,
                                    const std::string& case_name);

}  // namespace stepgate
