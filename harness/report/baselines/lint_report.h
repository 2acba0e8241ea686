// What is wrong with the committed baselines, one "file:line: message" each, so that editors can jump there.
#pragma once

#include <string>
#include <vector>

#include "core/stored/lint_problem.h"

namespace stepgate {

std::string render_lint(const std::vector<LintProblem>& problems, std::size_t files_checked);

}  // namespace stepgate
