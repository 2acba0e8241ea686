// Checks the committed baselines. It needs no measurement, so every pull request can run it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "core/stored/lint_problem.h"
#include "core/stored/manifest.h"

namespace stepgate {

struct LintResult {
  std::size_t files = 0;              ///< checked baseline files
  std::size_t dirty = 0;              ///< files measured from a tree with uncommitted changes
  std::vector<LintProblem> problems;  ///< by file, then line
};

/// Codes: conflict-markers, unreadable, not-canonical, wrong-place, no-reason, empty-key, not-finite, orphan,
/// stray-file, link, too-many-sessions, unsorted-sessions, duplicate-session, times-beside-counters, empty. `manifest`
/// is nullptr if the cases are unknown; then orphans are not reported. Throws Error(usage) if `root` is not a folder.
LintResult lint_baselines(const std::filesystem::path& root, const Manifest* manifest);

}  // namespace stepgate
