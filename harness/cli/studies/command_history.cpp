#include "cli/studies/command_history.h"

#include <fmt/format.h>

#include "cli/command_texts.h"
#include "cli/options/groups/documents.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/reason_row.h"
#include "cli/options/groups/swept.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "core/error.h"
#include "core/text/number_format.h"
#include "experiment/history/project_history.h"
#include "report/history/history_csv.h"
#include "report/history/history_plot.h"
#include "report/history/history_text.h"
#include "system/files/output_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path folder_or_default(const fs::path& folder) { return folder.empty() ? fs::path("history") : folder; }

/// Tells what --since hides, alerts above all.
void tell_hidden(const HiddenEpochs& hidden, const std::string& since) {
  if (hidden.epochs == 0) return;
  const std::string alerts = hidden.alerting == 0 ? "" : fmt::format(", {} of them with an alert", hidden.alerting);
  print_notice(stderr,
               {Severity::warning,
                fmt::format("--since {} hides {} of {}{}: they ended before that day", since,
                            counted(hidden.epochs, "epoch"), counted(hidden.series, "series", "series"), alerts),
                "give an earlier day, or leave --since out"});
}

/// The series of the case that is named, all without a name.
HistoryReport chosen_history(const std::vector<std::string>& arguments, const HistoryChoice& choice,
                             std::string_view command) {
  if (arguments.size() > 1) {
    throw Error(ErrorKind::usage, fmt::format("{} takes one case at most", command),
                fmt::format("stepgate {} CASE", command));
  }
  const std::string case_name = arguments.empty() ? "" : arguments.front();
  HistoryReport report = read_history_report(folder_or_default(choice.history),
                                             {.case_name = case_name, .metric = choice.metric, .since = choice.since});
  tell_hidden(report.hidden, choice.since);
  return report;
}

/// `show` and `check` name the files themselves.
void tell_unreadable(const HistoryReport& report) {
  if (report.unreadable.empty()) return;
  print_notice(stderr, {Severity::warning,
                        fmt::format("{} cannot be read and {} left out, the first one: {}",
                                    counted(report.unreadable.size(), "session"),
                                    report.unreadable.size() == 1 ? "is" : "are", report.unreadable.front().problem),
                        "all of them: stepgate history check"});
}

void require_file(const fs::path& file, std::string_view command, const char* option) {
  if (!file.empty()) return;
  throw Error(ErrorKind::usage, fmt::format("{} needs a file to write", command),
              fmt::format("name it: {} FILE", option));
}

OptionRow to_row(fs::path& to) {
  return {Topic::history, "to", "DIR", "", "folder of the history (default: history)", path_into(to, "a folder")};
}

OptionRow sequence_row(std::optional<std::int64_t>& sequence) {
  constexpr std::int64_t most_sequence = 999'999'999'999'999;  // what a session can hold (json/history)
  return {Topic::history,
          "sequence",
          "N",
          "",
          "a number that rises with each commit, e.g. of the build; it orders commits whose ancestry is not known",
          count_into(sequence, {.least = 0, .most = most_sequence})};
}

OptionRow since_row(std::string& since) {
  return {Topic::history,
          "since",
          "DAY",
          "",
          "leave out what ended before that day; levels are those of the whole history",
          text_into(since, "a day, e.g. 2026-11-01")};
}

OptionRows choice_rows(HistoryChoice& o) { return {metric_row(o.metric), history_row(o.history), since_row(o.since)}; }

int print_added(const AddedSession& added) {
  print_line(stdout, "{}: {} ({} cases, {} values)", added.already_there ? "already there" : "added",
             added.file.string(), added.cases, added.values);
  return 0;
}

}  // namespace

OptionRows rows_of(HistoryAddCommand& o) { return {to_row(o.to), sequence_row(o.sequence)}; }

int command_history_add(const HistoryAddCommand& o) {
  if (o.arguments.empty()) {
    throw Error(ErrorKind::usage, "history add needs results",
                "stepgate history add RESULT... --to DIR: folders of results, or measurement.json files");
  }
  const ResultsToAdd to_add{.results = {o.arguments.begin(), o.arguments.end()}, .sequence = o.sequence};
  const AddedSession added = add_to_history(folder_or_default(o.to), to_add, terminal_observer(false));
  return print_added(added);
}

OptionRows rows_of(HistoryImportCommand& o) {
  return {runner_class_row(o.runner_class),
          to_row(o.to),
          {Topic::history, "commit", "ID", "STEPGATE_COMMIT",
           "what the files measured: an id, or a name that git knows here (default: as the files say)",
           text_into(o.commit, "a commit, e.g. 4be1c0f")},
          sequence_row(o.sequence)};
}

int command_history_import(const HistoryImportCommand& o) {
  if (o.arguments.empty()) {
    throw Error(ErrorKind::usage, "history import needs files",
                "stepgate history import FILE... --to DIR --commit ID: what a Google Benchmark program wrote with "
                "--benchmark_out=FILE --benchmark_out_format=json, nvbench with --json FILE, or pyperf with -o FILE");
  }
  const BenchmarkImport import{.files = {o.arguments.begin(), o.arguments.end()},
                               .commit = o.commit,
                               .runner_class = o.runner_class,
                               .sequence = o.sequence};
  return print_added(import_to_history(folder_or_default(o.to), import, terminal_observer(false)));
}

OptionRows rows_of(HistoryShowCommand& o) { return joined({choice_rows(o.choice), rows_of(o.style)}); }

int command_history_show(const HistoryShowCommand& o) {
  const ConsoleStyle style = console_style(o.style);
  print_page(stdout, render_history(chosen_history(o.arguments, o.choice, "history show"), style), style);
  return 0;
}

OptionRows rows_of(HistoryCheckCommand& o) {
  return joined(
      {{metric_row(o.metric),
        history_row(o.history),
        {Topic::history, "allow-unjudged", "", "",
         "exit with 0, and not 4, where a series or the newest session was not judged", switch_on(o.allow_unjudged)}},
       rows_of(o.style)});
}

int command_history_check(const HistoryCheckCommand& o) {
  const ConsoleStyle style = console_style(o.style);
  const HistoryReport report =
      chosen_history(o.arguments, {.history = o.history, .metric = o.metric, .since = ""}, "history check");
  const AcknowledgeCommand acknowledge{.program = own_command(), .history = o.history};
  print_page(stdout, render_history_check(report, acknowledge, style), style);
  switch (standing_of(report)) {
    case HistoryStanding::quiet:
      return 0;
    case HistoryStanding::alert:
      return 1;
    case HistoryStanding::not_judged:
      return o.allow_unjudged ? 0 : 4;
  }
  return 0;
}

OptionRows rows_of(HistoryAckCommand& o) { return {history_row(o.history), reason_row(o.reason)}; }

int command_history_ack(const HistoryAckCommand& o) {
  if (o.arguments.size() != 2) {
    throw Error(ErrorKind::usage, "history ack takes a series and a commit",
                "stepgate history check prints the whole command for each alert");
  }
  const fs::path file =
      acknowledge_change(folder_or_default(o.history),
                         {.series = o.arguments[0], .commit = o.arguments[1], .reason = o.reason, .utc = ""});
  print_line(stdout, "acknowledged: {}", file.string());
  print_line(stdout, "Review and commit it: git add -- {}", shell_quoted(file.string()));
  return 0;
}

OptionRows rows_of(HistoryPlotCommand& o) {
  return joined(
      {choice_rows(o.choice), {{Topic::history, "svg", "FILE", "", "the file to write", path_into(o.svg, "a file")}}});
}

int command_history_plot(const HistoryPlotCommand& o) {
  require_file(o.svg, "history plot", "--svg");
  const HistoryReport report = chosen_history(o.arguments, o.choice, "history plot");
  tell_unreadable(report);
  write_output_file(o.svg, render_history_plot(report));
  if (report.series.size() > most_history_panels)
    print_notice(stderr, {Severity::warning,
                          fmt::format("{} shows the first {} of {} series", o.svg.string(), most_history_panels,
                                      report.series.size()),
                          "name a case or a --metric"});
  return 0;
}

OptionRows rows_of(HistoryExportCommand& o) {
  return joined(
      {choice_rows(o.choice), {{Topic::history, "csv", "FILE", "", "the file to write", path_into(o.csv, "a file")}}});
}

int command_history_export(const HistoryExportCommand& o) {
  require_file(o.csv, "history export", "--csv");
  const HistoryReport report = chosen_history(o.arguments, o.choice, "history export");
  tell_unreadable(report);
  write_output_file(o.csv, render_history_csv(report));
  return 0;
}

}  // namespace stepgate
