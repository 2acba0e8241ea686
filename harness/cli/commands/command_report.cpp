#include "cli/commands/command_report.h"

#include <algorithm>
#include <functional>

#include "cli/commands/distribution_view.h"
#include "cli/commands/memory_view.h"
#include "cli/options/groups/cases.h"
#include "cli/options/groups/repeated_options.h"
#include "cli/output.h"
#include "cli/publish.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/study_parts.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/judged/judged_tiers.h"
#include "core/text/number_format.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/report_files.h"
#include "experiment/results/times_of_measurement.h"
#include "report/gate/console_report.h"
#include "report/gate/tally.h"
#include "report/text/log_text.h"
#include "system/files/output_file.h"

namespace stepgate {
namespace {

constexpr std::string_view report_name = "report";

void need_table(const ReportCommand& o) {
  if (!o.output.json) return;
  throw Error(ErrorKind::usage, "--ledger prints a table, and --json asks for a document",
              "leave out --json; the ledger as JSON is in measurement.json of each case, below memory");
}

void need_table_of_twin(const ReportCommand& o) {
  if (!o.output.json) return;
  throw Error(ErrorKind::usage, "--twin prints a table, and --json asks for a document",
              "leave out --json; the values are in measurement.json of both cases");
}

void need_no_report_of_verdicts(const ReportOutput& o) {
  if (o.markdown.empty() && o.junit.empty() && o.html.empty() && o.exports.empty() && !o.github) return;
  throw Error(
      ErrorKind::usage,
      "--distribution prints times instead of verdicts, and --markdown, --junit, --html, --export and --github ask for "
      "verdicts",
      "leave them out, or give two commands: one with --distribution and one without");
}

void need_stored_profile(const ReportCommand& o) {
  if (o.profile) return;
  throw Error(ErrorKind::usage, "--sort, --by, --rows, --checklist and --smoke of report need --profile",
              "add --profile: stepgate report --profile CASE");
}

void need_expect_all(const ReportCommand& o) {
  if (o.expect_all) return;
  throw Error(ErrorKind::usage, "--judged is a part of what --expect-all says", "add --expect-all");
}

/// What is printed instead of verdicts, and which verdicts count.
OptionRows question_rows(ReportCommand& o) {
  return {
      {Topic::output,
       "ledger",
       "",
       "",
       "print what was in memory at the peak, instead of verdicts",
       switch_on(o.ledger),
       {[&o] { need_table(o); }}},
      {Topic::output,
       "twin",
       "CASE",
       "",
       "print after how many steps a compiled case has caught up with this eager one, instead of verdicts",
       text_into(o.twin, "a case"),
       {[&o] { need_table_of_twin(o); }}},
      {Topic::output,
       "distribution",
       "",
       "",
       "print how the times are spread over steps and processes, instead of verdicts",
       switch_on(o.distribution),
       {[&o] { need_no_report_of_verdicts(o.output); }}},
      {Topic::output, "timeline", "FILE", "",
       "write the memory during the step with the peak, for Perfetto or chrome://tracing",
       path_into(o.timeline, "a file, or - for stdout")},
      {Topic::output, "begin", "", "", "start a new suite run: no older verdict counts", switch_on(o.begin)},
      {Topic::output, "expect-all", "", "", "exit with 0 only where all that the manifest gates was judged",
       switch_on(o.expect_all)},
      {Topic::output,
       "judged",
       "FILE",
       "",
       "with --expect-all: write its last lines there too",
       path_into(o.judged, "a file, or - for stdout"),
       {[&o] { need_expect_all(o); }}},
  };
}

RepeatedOptions repeated_by(const ReportCommand& o) {
  return {.baseline_root = o.places.baseline_root, .runner_class = o.places.runner_class};
}

int status_of(const ReportCommand& o, const RunReport& report) {
  const bool nothing = report.outcomes.empty();
  if (!o.expect_all) return nothing ? 3 : status_for_caller(o.judging, report);
  // The cases' own tests carry their verdicts; this one only says whether there is one for all that gates. A filtered
  // run is "skipped", never a pass, and a failure where the runner must measure everything.
  if (nothing || (o.judging.require_baseline && !report.missing_cases.empty())) return 3;
  // No test of a case is red for limits of the whole tree, such as a case that is gone.
  if (report.limits && lacks_consent(*report.limits)) return 1;
  const std::vector<JudgedTier> tiers = judged_tiers(report);
  return report.missing_cases.empty() && std::all_of(tiers.begin(), tiers.end(), std::mem_fn(&JudgedTier::is_judged))
             ? 0
             : 77;
}

}  // namespace

OptionRows rows_of(ReportCommand& o) {
  OptionRows rows = joined({rows_of(o.places),
                            {base_build_row(o.base_build), allow_loosening_row(o.allow_loosening)},
                            {filter_row(o.filters)},
                            operator_rows(o.table),
                            {{Topic::profile, "profile", "", "", "print the stored profiles again, instead of verdicts",
                              switch_on(o.profile)}},
                            list_rows(o.table),
                            rows_of(o.output, report_name),
                            rows_of(o.judging),
                            question_rows(o),
                            {verbose_row(o.output.style)},
                            rows_of(o.output.style.table)});
  add_need(rows, {"checklist", "smoke"}, [&o] { need_page_of_lists(o.output.json); });
  add_need(rows, {"sort", "by", "rows", "checklist", "smoke"}, [&o] { need_stored_profile(o); });
  return rows;
}

int command_report(const ReportCommand& o) {
  const Project project = read_project(judged(project_options(o.places), o.judging));
  const Selection selection{.names = o.arguments, .globs = o.filters};
  const ConsoleStyle style = console_style(o.output.style);
  if (o.ledger || !o.timeline.empty())
    return show_memory(project, {selection, o.places.runner_class, o.ledger, o.timeline, style});
  if (!o.twin.empty()) {
    show_break_even(project, o.arguments, o.twin, style);
    return 0;
  }
  if (o.profile) {
    return show_stored_profiles(project, selection, o.table, {.json = o.output.json, .style = o.output.style});
  }
  const Caller caller = terminal_caller(false, repeated_by(o), project);
  if (o.begin) {
    begin_suite(caller, project);
    print_line(stdout, "suite started {}: {} expected", project.start.utc,
               counted(project.manifest.cases.size(), "case"));
    return 0;
  }
  refuse_no_history(o.output);
  const LimitBase base{.build = o.base_build, .allowed_by = o.allow_loosening};
  const RunReport report = stored_report(project, selection, caller, base).report;
  const int status = status_of(o, report);
  if (o.distribution && !o.output.json) {
    show_distributions(times_of_cases(project, select_cases(project.manifest, selection), report), style);
    return 0;
  }
  const Presentation how{o.output, o.judging, project};
  const std::optional<Error> failure = write_outputs(how, report, OutputTarget::file);
  const std::string last = failure        ? failed_output_sentence(*failure, status)
                           : o.expect_all ? expect_all_sentence(report, status)
                                          : exit_sentence(report, status);
  show(how, report, last);
  if (!o.judged.empty()) write_output_file(o.judged, log_text(render_last_lines(last, style), Colours::removed));
  end_report(how, report, failure);
  return status;
}

}  // namespace stepgate
