#include "cli/commands/command_run.h"

#include <string>

#include "cli/options/groups/cases.h"
#include "cli/options/groups/table_style.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "core/text/number_format.h"
#include "core/text/text_lines.h"
#include "experiment/measure_cases.h"
#include "report/gate/console_report.h"
#include "report/gate/distribution_report.h"

namespace stepgate {
namespace {

/// How the process ended, and the end of its output, which has the reason.
void print_failure(const ReplicateFailure& failure) {
  print_line(stdout, "  failed: {}", failure.message);
  for (const std::string& line : last_lines(failure.output_tail, shown_output_lines))
    print_line(stdout, "    | {}", line);
}

MeasurementOptions measurement_options(const RunCommand& o) {
  MeasureOptions measure = measure_options(o.measuring);
  measure.tier = measured_half(o.tier, o.device);
  measure.timed_replicates = o.replicates;
  measure.exact_replicates = o.exact_replicates;
  measure.request_rate = o.request_rate;
  return {.selection = {.names = o.arguments, .globs = o.filters},
          .measure = std::move(measure),
          .host = host_options(o.machine)};
}

void need_exact_half(const RunCommand& o) {
  if (o.tier == TierChoice::timed) refuse_emulated_times(o.tier);
  refuse_emulated_clocks(o.machine.quiet.guard);
}

RepeatedOptions repeated_by(const RunCommand& o) {
  RepeatedOptions repeated = repeated_options(o.places, o.measuring);
  repeated.replicates = o.replicates;
  repeated.exact_replicates = o.exact_replicates;
  repeated.request_rate = o.request_rate;
  return repeated;
}

}  // namespace

OptionRows rows_of(RunCommand& o) {
  OptionRows rows = joined({rows_of(o.places),
                            {filter_row(o.filters), tier_row(o.tier)},
                            {replicates_row(o.replicates), exact_replicates_row(o.exact_replicates)},
                            rows_of(o.measuring),
                            {request_rate_row(o.request_rate), device_row(o.device)},
                            rows_of(o.machine),
                            {quiet_row(o.quiet)}});
  add_need(rows, {"device"}, [&o] { need_exact_half(o); });
  return rows;
}

int command_run(const RunCommand& o) {
  ProjectOptions asked = project_options(o.places);
  asked.device = o.device;
  const Project project = read_project(asked);
  Caller caller = terminal_caller(o.quiet, repeated_by(o), project);
  caller.observer.on_measured = [&o](const std::filesystem::path& file, const Measurement& measurement) {
    clear_progress_line(o.quiet);
    print_line(stdout, "{}{}: {} -> {}", measurement.case_name, o.device ? " on " + text_of(*o.device) : "",
               counted(measurement.replicates.size(), "replicate"), file.string());
    for (const Replicate& replicate : measurement.replicates) {
      if (replicate.failure) print_failure(*replicate.failure);
    }
  };
  caller.observer.on_times = [](const MeasuredTimes& times) {
    const ConsoleStyle style = console_style(TableStyle());
    print_page(stdout, render_times(times, style), style);
  };
  const MeasuredCases measured = measure_cases(project, measurement_options(o), caller);
  clear_progress_line(o.quiet);
  if (measured.interrupted_by != 0) return 128 + measured.interrupted_by;
  return measured.failed ? 3 : 0;
}

}  // namespace stepgate
