// Facts about now and about the tree under test that measurements and baselines state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

struct Instant {
  std::int64_t unix_s = 0;
  std::string utc;  ///< "2026-11-21T10:00:00Z"
  std::string day;  ///< "2026-11-21"
};

Instant now();

/// Commit of the git tree that holds `folder`, all digits, with "-dirty" if tracked files differ or if there are files
/// that git neither tracks nor ignores: a build takes a new source as it takes a changed one. Such files below `made`,
/// and below folders that CMake builds in, do not count as sources. "" outside a checkout. STEPGATE_COMMIT wins: a
/// bundle knows what it was built from, and may lie inside a checkout of something else.
std::string commit_of(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& made = {});

/// `file` relative to the repository that holds it (STEPGATE_REPOSITORY, GITHUB_WORKSPACE, else the git tree), as
/// GitHub names files; as it is outside of one.
std::string path_in_repository(const std::filesystem::path& file);

/// True where CI says so (CI=true): there, baselines are read-only.
bool in_ci();

}  // namespace stepgate
