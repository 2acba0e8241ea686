#include "cli/commands/saved_law_view.h"

#include <algorithm>

#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "experiment/studies/saved_law.h"
#include "report/studies/saved_law_report.h"

namespace stepgate {

int show_saved_law(const Options& options) {
  const Project project = read_project(project_options(options));
  const SavedLawOptions asked = saved_law_options(options);
  const Caller caller = terminal_caller(options, project);
  const SavedLawStudy study = find_saved_law(project, asked, caller);
  clear_progress_line(options);
  const SavedLawQuestion question{.memory_bytes = options.memory_bytes, .most_growth = options.most_growth};
  const ConsoleStyle style = console_style(options);
  print_page(stdout, render_saved_law(study, question), style);
  if (const int number = caller.interrupted; number != 0) return 128 + number;
  const bool measured = std::any_of(study.settings.begin(), study.settings.end(),
                                    [](const SavedSetting& setting) { return !setting.steps.empty(); });
  if (!measured) return 3;
  const bool exceeded = options.most_growth && (!study.fit.law || study.fit.law->growth > *options.most_growth);
  return exceeded ? 1 : 0;
}

}  // namespace stepgate
