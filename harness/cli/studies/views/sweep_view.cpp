#include "cli/studies/views/sweep_view.h"

#include <algorithm>

#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/terminal.h"
#include "experiment/swept/run_sweep.h"
#include "json/studies/sweep_json.h"
#include "report/studies/sweep_plot.h"
#include "report/studies/sweep_report.h"
#include "report/study_pages/study_pages.h"
#include "system/files/file.h"

namespace stepgate {

int show_sweep(const StudyOutput& output, const Project& project, const Sweep& sweep, int interrupted_by) {
  clear_progress_line(output.quiet);
  const auto folder = sweep_folder(project, sweep.case_name);
  write_file_atomically(folder / "sweep.svg", render_sweep_plot(sweep));
  if (!output.html.empty()) write_page(output.html, sweep_page(sweep));
  if (output.json) {
    print_json(to_text(sweep));
  } else {
    print_page(stdout, render_sweep(sweep, console_style(output.style)), console_style(output.style));
  }
  print_message(stderr, (folder / "sweep.json").string() + " and " + (folder / "sweep.svg").string(), "");
  if (interrupted_by != 0) return 128 + interrupted_by;
  const bool ranked = std::any_of(sweep.ranking.ranks.begin(), sweep.ranking.ranks.end(),
                                  [](const SettingRank& rank) { return rank.standing != Standing::not_ranked; });
  return ranked ? 0 : 3;
}

}  // namespace stepgate
