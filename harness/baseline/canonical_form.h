// `baseline fmt`: rewrites committed files in the canonical form, so that a diff shows changed values only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

/// Takes the lock and rewrites every baseline below `root` that parses and is not canonical; returns the rewritten
/// files. A second call rewrites nothing. `baseline lint` reports files that do not parse. Throws Error as BaselineLock
/// does.
std::vector<std::filesystem::path> rewrite_canonical(const std::filesystem::path& root, const std::string& utc);

}  // namespace stepgate
