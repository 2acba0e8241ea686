#include <fmt/format.h>

#include "cli/command_texts.h"
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/text/number_format.h"
#include "experiment/history/history.h"
#include "report/history/history_csv.h"
#include "report/history/history_plot.h"
#include "report/history/history_text.h"
#include "system/output_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path folder_or_default(const fs::path& folder) { return folder.empty() ? fs::path("history") : folder; }

/// What --since hides is said, alerts above all.
void tell_hidden(const HiddenEpochs& hidden, const Options& options) {
  if (hidden.epochs == 0) return;
  const std::string alerts = hidden.alerting == 0 ? "" : fmt::format(", {} of them with an alert", hidden.alerting);
  print_notice(stderr,
               {Severity::warning,
                fmt::format("--since {} hides {} of {}{}: they ended before that day", options.since,
                            counted(hidden.epochs, "epoch"), counted(hidden.series, "series", "series"), alerts),
                "give an earlier day, or leave --since out"});
}

/// The series of the case that is named, all without a name.
HistoryReport chosen_history(const Options& options) {
  if (options.arguments.size() > 1) {
    throw Error(ErrorKind::usage, fmt::format("{} takes one case at most", options.command),
                fmt::format("stepgate {} CASE", options.command));
  }
  const std::string case_name = options.arguments.empty() ? "" : options.arguments.front();
  HistoryReport report = read_history_report(
      folder_or_default(options.history), {.case_name = case_name, .metric = options.metric, .since = options.since});
  tell_hidden(report.hidden, options);
  return report;
}

void require_file(const Options& options, const fs::path& file, const char* option) {
  if (!file.empty()) return;
  throw Error(ErrorKind::usage, fmt::format("{} needs a file to write", options.command),
              fmt::format("name it: {} FILE", option));
}

int print_added(const AddedSession& added) {
  print_line(stdout, "{}: {} ({} cases, {} values)", added.already_there ? "already there" : "added",
             added.file.string(), added.cases, added.values);
  return 0;
}

}  // namespace

int command_history_add(const Options& options) {
  if (options.arguments.empty()) {
    throw Error(ErrorKind::usage, "history add needs results",
                "stepgate history add RESULT... --to DIR: folders of results, or measurement.json files");
  }
  const AddedSession added =
      add_to_history(folder_or_default(options.history_to), {options.arguments.begin(), options.arguments.end()},
                     terminal_observer(options));
  return print_added(added);
}

int command_history_import(const Options& options) {
  if (options.arguments.empty()) {
    throw Error(ErrorKind::usage, "history import needs files",
                "stepgate history import FILE... --to DIR --commit ID: what a Google Benchmark program wrote with "
                "--benchmark_out=FILE --benchmark_out_format=json");
  }
  const BenchmarkImport import{.files = {options.arguments.begin(), options.arguments.end()},
                               .commit = options.commit,
                               .runner_class = options.runner_class};
  return print_added(import_to_history(folder_or_default(options.history_to), import, terminal_observer(options)));
}

int command_history_show(const Options& options) {
  const ConsoleStyle style = console_style(options);
  print_page(stdout, render_history(chosen_history(options), style), style);
  return 0;
}

int command_history_check(const Options& options) {
  const ConsoleStyle style = console_style(options);
  const HistoryReport report = chosen_history(options);
  print_page(stdout, render_history_check(report, style), style);
  for (const HistorySeries& series : report.series) {
    if (has_alert(series)) return 1;
  }
  return 0;
}

int command_history_ack(const Options& options) {
  if (options.arguments.size() != 2) {
    throw Error(ErrorKind::usage, "history ack takes a series and a commit",
                "stepgate history check prints the whole command for each alert");
  }
  const fs::path file = acknowledge_change(
      folder_or_default(options.history),
      {.series = options.arguments[0], .commit = options.arguments[1], .reason = options.reason, .utc = ""});
  print_line(stdout, "acknowledged: {}", file.string());
  print_line(stdout, "Review and commit it: git add -- {}", shell_quoted(file.string()));
  return 0;
}

int command_history_plot(const Options& options) {
  require_file(options, options.svg, "--svg");
  const HistoryReport report = chosen_history(options);
  write_output_file(options.svg, render_history_plot(report));
  if (report.series.size() > most_history_panels)
    print_notice(stderr, {Severity::warning,
                          fmt::format("{} shows the first {} of {} series", options.svg.string(), most_history_panels,
                                      report.series.size()),
                          "name a case or a --metric"});
  return 0;
}

int command_history_export(const Options& options) {
  require_file(options, options.csv, "--csv");
  write_output_file(options.csv, render_history_csv(chosen_history(options)));
  return 0;
}

}  // namespace stepgate
