// The path of a case's baseline: <root>/<runner class or "portable">/<case name>.json
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace stepgate {

inline constexpr std::string_view portable_class = "portable";

/// Throws Error(usage) unless `runner_class` is [a-z0-9_-]+ and `case_name` a case name (core/text/case_name.h).
std::filesystem::path baseline_path(const std::filesystem::path& root, const std::string& runner_class,
                                    const std::string& case_name);

}  // namespace stepgate
