#include "cli/commands/break_even_view.h"
#include "cli/commands/commands.h"
#include "cli/commands/distribution_view.h"
#include "cli/commands/memory_view.h"
#include "cli/commands/profile_view.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/publish.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "core/text/number_format.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/report_files.h"
#include "report/gate/tally.h"

namespace stepgate {
namespace {

int status_of(const Options& options, const RunReport& report) {
  const bool nothing = report.outcomes.empty();
  if (!options.expect_all) return nothing ? 3 : status_for_caller(options, report);
  // The cases' own tests carry their verdicts; this one only says whether all of them ran. A filtered run is
  // "skipped", never a pass, and a failure where the runner must measure everything.
  if (report.missing_cases.empty()) return 0;
  return options.require_baseline || nothing ? 3 : 77;
}

}  // namespace

int command_report(const Options& options) {
  const Project project = read_project(project_options(options));
  if (options.ledger || !options.timeline.empty()) return show_memory(options, project);
  if (!options.twin.empty()) {
    show_break_even(options, project);
    return 0;
  }
  if (options.profile) return show_stored_profiles(options, project);
  if (options.begin) {
    begin_suite(terminal_caller(options, project), project);
    print_line(stdout, "suite started {}: {} expected", project.start.utc,
               counted(project.manifest.cases.size(), "case"));
    return 0;
  }
  refuse_no_history(options);
  const RunReport report = stored_report(project, selection(options), terminal_caller(options, project)).report;
  const int status = status_of(options, report);
  if (options.distribution && !options.json) {
    show_distributions(options, report);
    return 0;
  }
  show(options, report, options.expect_all ? expect_all_sentence(report, status) : exit_sentence(report, status));
  publish(options, report);
  return status;
}

}  // namespace stepgate
