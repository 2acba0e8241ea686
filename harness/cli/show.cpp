#include "cli/show.h"

#include <fmt/format.h>

#include <optional>

#include "cli/exit_error.h"
#include "cli/output.h"
#include "cli/publish.h"
#include "cli/terminal.h"
#include "json/results/run_report_json.h"
#include "report/ci/ctest_report.h"
#include "report/gate/console_report.h"
#include "report/gate/tally.h"

namespace stepgate {

void show(const Presentation& how, const RunReport& report, const std::string& exit_sentence) {
  if (how.output.json) {
    print_json(to_text(report));
    return;
  }
  const CommandPause pause = command_pause(how.output);
  ConsoleStyle style = console_style(how.output.style);
  style.exit_sentence = exit_sentence;
  print_commands(stdout, pause.begin);
  print_page(stdout, render_console(report, style), style);
  print_commands(stdout, pause.end);
  if (!how.judging.ctest) return;
  for (const Outcome& outcome : report.outcomes) print_commands(stdout, render_ctest_measurements(outcome));
}

void end_report(const Presentation& how, const RunReport& report, const std::optional<Error>& failure_of_file) {
  const std::optional<Error> failure = write_outputs(how, report, OutputTarget::standard_stream);
  print_annotations(how.output, report);
  if (failure && failure_of_file) print_message(stderr, failure->what(), failure->remedy());
  if (failure_of_file) throw *failure_of_file;
  if (failure) throw *failure;
}

int finish(const Presentation& how, const JudgedRun& result) {
  clear_progress_line(how.quiet);
  if (result.interrupted_by != 0) return 128 + result.interrupted_by;
  const int status = status_for_caller(how.judging, result.report);
  const std::optional<Error> failure = write_outputs(how, result.report, OutputTarget::file);
  show(how, result.report, failure ? failed_output_sentence(*failure, status) : exit_sentence(result.report, status));
  end_report(how, result.report, failure);
  return status;
}

std::string failed_output_sentence(const Error& failure, int status) {
  return fmt::format("exit status {}: a file that was asked for was not written. The verdicts alone: status {}.",
                     status_of_error(failure.kind()), status);
}

int status_for_caller(const Judging& judging, const RunReport& report) {
  const int status = exit_status(report);
  const bool is_open = status == 4 || status == 5;
  const bool fails = judging.require_baseline || has_changed_tree(report);
  return is_open && judging.ctest && !fails ? 77 : status;
}

}  // namespace stepgate
