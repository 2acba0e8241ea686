#include "cli/studies/views/saved_law_view.h"

#include <algorithm>

#include "cli/output.h"
#include "cli/terminal.h"

namespace stepgate {

int show_saved_law(const SavedLawStudy& study, const SavedLawQuestion& question, const StudyOutput& output,
                   int interrupted_by) {
  clear_progress_line(output.quiet);
  const ConsoleStyle style = console_style(output.style);
  print_page(stdout, render_saved_law(study, question), style);
  if (interrupted_by != 0) return 128 + interrupted_by;
  const bool measured = std::any_of(study.settings.begin(), study.settings.end(),
                                    [](const SavedSetting& setting) { return !setting.steps.empty(); });
  if (!measured) return 3;
  const bool exceeded = question.most_growth && (!study.fit.law || study.fit.law->growth > *question.most_growth);
  return exceeded ? 1 : 0;
}

}  // namespace stepgate
