#include "cli/output.h"
#include "cli/study_parts.h"
#include "core/error.h"
#include "experiment/studies/stored_break_even.h"
#include "report/studies/break_even_report.h"

namespace stepgate {

void show_break_even(const Project& project, const std::vector<std::string>& cases, const std::string& twin,
                     const ConsoleStyle& style) {
  if (cases.size() != 1)
    throw Error(ErrorKind::usage, "--twin: name one case beside its twin",
                "stepgate report language/char_lm_compiled/tiny --twin language/char_lm_compiled/eager");
  const BreakEvenStudy study = stored_break_even(project, {.case_name = cases.front(), .twin = twin});
  print_page(stdout, render_break_even(study), style);
}

}  // namespace stepgate
