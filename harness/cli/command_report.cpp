#include "cli/commands.h"
#include "cli/experiment_options.h"
#include "cli/memory_view.h"
#include "cli/output.h"
#include "cli/publish.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "experiment/results/report_files.h"

namespace stepgate {

int command_report(const Options& options) {
  const Project project = read_project(project_options(options));
  if (options.ledger || !options.timeline.empty()) return show_memory(options, project);
  if (options.begin) {
    begin_suite(project);
    print_line(stdout, "suite started {}: {} cases expected", project.start.utc, project.manifest.cases.size());
    return 0;
  }
  const RunReport report = stored_report(project, terminal_caller(options, project)).report;
  show(options, report);
  publish(options, report);
  const bool nothing = report.outcomes.empty();
  if (!options.expect_all) return nothing ? 3 : status_for_caller(options, report);
  // The cases' own tests carry their verdicts; this one only says whether all of them ran. A filtered run is
  // "skipped", never a pass, and a failure where the runner must measure everything.
  if (report.missing_cases.empty()) return 0;
  return options.require_baseline || nothing ? 3 : 77;
}

}  // namespace stepgate
