// `baseline fmt`: brings committed files into the form in which two of them differ only where their values do.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

/// Rewrites every baseline below `root` that parses and is not canonical, under the lock; returns what it rewrote. A
/// second call rewrites nothing. Files that do not parse are lint's to report. Throws Error as BaselineLock does.
std::vector<std::filesystem::path> rewrite_canonical(const std::filesystem::path& root, const std::string& utc);

}  // namespace stepgate
