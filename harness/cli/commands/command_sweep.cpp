#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/saved_law_view.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "json/results/sweep_json.h"
#include "report/page/study_pages.h"
#include "report/studies/sweep_plot.h"
#include "report/studies/sweep_report.h"
#include "system/file.h"

namespace stepgate {

int command_sweep(const Options& options) {
  if (!options.law.empty()) return show_saved_law(options);
  const Project project = read_project(project_options(options));
  const SweepOptions asked = sweep_options(options);
  const Caller caller = terminal_caller(options, project);
  const Sweep sweep = run_sweep(project, asked, caller);
  clear_progress_line(options);
  const auto folder = sweep_folder(project, sweep.case_name);
  write_file_atomically(folder / "sweep.svg", render_sweep_plot(sweep));
  if (!options.html.empty()) write_page(options, sweep_page(sweep));
  if (options.json) {
    print_json(to_text(sweep));
  } else {
    print_page(stdout, render_sweep(sweep, console_style(options)), console_style(options));
  }
  print_message(stderr, (folder / "sweep.json").string() + " and " + (folder / "sweep.svg").string(), "");
  if (const int number = caller.interrupted; number != 0) return 128 + number;
  const bool ranked = std::any_of(sweep.ranking.ranks.begin(), sweep.ranking.ranks.end(),
                                  [](const SettingRank& rank) { return rank.standing != Standing::not_ranked; });
  return ranked ? 0 : 3;
}

}  // namespace stepgate
