#include "report/baselines/lint_report.h"

#include <fmt/format.h>

#include "core/text/number_format.h"
#include "report/text/clean_text.h"

namespace stepgate {

std::string render_lint(const std::vector<LintProblem>& problems, std::size_t files_checked) {
  std::string text;
  for (const LintProblem& problem : problems) {
    const std::string line = problem.line ? fmt::format(":{}", *problem.line) : "";
    text += terminal_text(fmt::format("{}{}: {} [{}]", problem.file, line, problem.message, problem.code), false);
    text += '\n';
    if (!problem.remedy.empty()) text += "  " + terminal_text(problem.remedy, false) + '\n';
  }
  return text + fmt::format("{} in {}\n", problems.empty() ? "no problems" : counted(problems.size(), "problem"),
                            counted(files_checked, "baseline file"));
}

}  // namespace stepgate
