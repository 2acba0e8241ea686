#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/measuring.h"
#include "cli/pipeline.h"
#include "cli/publish.h"
#include "cli/result_files.h"
#include "cli/selection.h"
#include "cli/show.h"

namespace stepgate {

int command_gate(const Options& options) {
  const Context context = read_context(options);
  refuse_debug_build(context.manifest);
  std::vector<Outcome> outcomes;
  const int interrupted = measure_cases(context, [&](const ManifestCase& entry, const Measurement& measurement) {
    Outcome outcome = judge_and_explain(context, entry, measurement);
    write_report(result_folder(context, entry.name), report_of(context, {outcome}));
    outcomes.push_back(std::move(outcome));
  });
  if (interrupted != 0) return interrupted;
  const RunReport report = report_of(context, std::move(outcomes));
  show(context, report);
  publish(context, report);
  return status_for_caller(options, report);
}

int command_check(const Options& options) {
  Context context = read_context(options);
  std::vector<Outcome> outcomes;
  for (const Measurement& measurement : read_measurements(context)) {
    const ManifestCase entry = select_cases(context.manifest, {measurement.case_name}, {}).front();
    Outcome outcome = judge_and_explain(context, entry, measurement);
    write_report(result_folder(context, entry.name), report_of(context, {outcome}));
    outcomes.push_back(std::move(outcome));
  }
  const RunReport report = report_of(context, std::move(outcomes));
  show(context, report);
  publish(context, report);
  return status_for_caller(options, report);
}

int command_run(const Options& options) {
  const Context context = read_context(options);
  refuse_debug_build(context.manifest);
  bool failed = false;
  const int interrupted = measure_cases(context, [&](const ManifestCase& entry, const Measurement& measurement) {
    const std::string file = (result_folder(context, entry.name) / "measurement.json").string();
    fmt::print("{}: {} replicates -> {}\n", entry.name, measurement.replicates.size(), file);
    for (const Replicate& replicate : measurement.replicates) {
      if (!replicate.failure) continue;
      failed = true;
      fmt::print("  failed: {}\n", replicate.failure->message);
    }
  });
  if (interrupted != 0) return interrupted;
  return failed ? 3 : 0;
}

}  // namespace stepgate
