#include "cli/studies/views/difference_view.h"

#include "cli/output.h"
#include "cli/terminal.h"
#include "json/results/step_difference_json.h"
#include "report/profile/difference_report.h"

namespace stepgate {

int show_difference(const Project& head, const ProfileDifferenceOptions& asked, const Caller& caller,
                    const StudyOutput& output) {
  const auto difference = run_profile_difference(head, asked, caller);
  clear_progress_line(output.quiet);
  if (difference) {
    const ConsoleStyle style = console_style(output.style);
    if (output.json) {
      print_json(to_text(*difference));
    } else {
      print_page(stdout, render_difference(*difference, style), style);
    }
    print_message(stderr, (profile_difference_folder(head, asked.case_name) / "difference.json").string(), "");
  }
  if (const int number = caller.interrupted; number != 0) return 128 + number;
  return 0;
}

}  // namespace stepgate
