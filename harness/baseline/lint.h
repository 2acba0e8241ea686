// Are the committed baselines sound? Run on every pull request; needs no measurement.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "core/stored/lint_problem.h"
#include "core/stored/manifest.h"

namespace stepgate {

struct LintResult {
  std::size_t files = 0;              ///< baseline files looked at
  std::vector<LintProblem> problems;  ///< by file, then line
};

/// Codes: conflict-markers, unreadable, not-canonical, wrong-place, no-reason, not-finite, orphan, stray-file,
/// too-many-sessions, unsorted-sessions, duplicate-session, empty. `manifest` is nullptr where it is not known which
/// cases exist: orphans are not looked for then. Throws Error(usage) where `root` is not a folder.
LintResult lint_baselines(const std::filesystem::path& root, const Manifest* manifest);

}  // namespace stepgate
