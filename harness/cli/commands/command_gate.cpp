#include <string>

#include "cli/commands/commands.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "core/text/number_format.h"
#include "core/text/text_lines.h"
#include "report/gate/console_report.h"
#include "report/gate/distribution_report.h"

namespace stepgate {
namespace {

/// How the process ended, and the end of what it said: the reason stands there.
void print_failure(const ReplicateFailure& failure) {
  print_line(stdout, "  failed: {}", failure.message);
  for (const std::string& line : last_lines(failure.output_tail, shown_output_lines))
    print_line(stdout, "    | {}", line);
}

}  // namespace

int command_gate(const Options& options) {
  refuse_no_history(options);
  const Project project = read_project(project_options(options));
  return finish(options, run_gate(project, gate_options(options), terminal_caller(options, project)));
}

int command_check(const Options& options) {
  refuse_no_history(options);
  const Project project = read_project(project_options(options));
  return finish(options, check_measurements(project, check_options_of(options), terminal_caller(options, project)));
}

int command_run(const Options& options) {
  const Project project = read_project(project_options(options));
  Caller caller = terminal_caller(options, project);
  caller.observer.on_measured = [&options](const std::filesystem::path& file, const Measurement& measurement) {
    clear_progress_line(options);
    print_line(stdout, "{}: {} -> {}", measurement.case_name, counted(measurement.replicates.size(), "replicate"),
               file.string());
    for (const Replicate& replicate : measurement.replicates) {
      if (replicate.failure) print_failure(*replicate.failure);
    }
  };
  caller.observer.on_times = [&options](const MeasuredTimes& times) {
    const ConsoleStyle style = console_style(options);
    print_page(stdout, render_times(times, style), style);
  };
  const MeasuredCases measured = measure_cases(project, measurement_options(options), caller);
  clear_progress_line(options);
  if (measured.interrupted_by != 0) return 128 + measured.interrupted_by;
  return measured.failed ? 3 : 0;
}

}  // namespace stepgate
