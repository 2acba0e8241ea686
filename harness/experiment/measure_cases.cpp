#include "experiment/measure_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/plan/case_plan.h"
#include "experiment/plan/emulated_cases.h"
#include "experiment/results/times_of_measurement.h"

namespace stepgate {

MeasuredCases measure_cases(const Project& project, const MeasurementOptions& options, const Caller& caller) {
  refuse_debug_build(project.manifest);
  MeasurableCases chosen = measurable_cases(project.manifest, options.selection, options.measure.tier);
  keep_emulated_cases(project, options.selection, chosen);
  const auto& [cases, notices] = chosen;
  for (const Notice& notice : notices) caller.observer.on_notice(notice);
  refuse_unbuilt(project.manifest, cases);
  const QuietHost quiet(options.host, {"run", cases, options.measure.threads.value_or(1), project.emulated}, caller);
  const Run run{project, options.measure, quiet.measured(), caller};
  MeasuredCases result;
  for (const ManifestCase& entry : cases) {
    // The policy says what taints a process, the baseline how many steps its times were taken from.
    const CasePlan plan = plan_case(run, entry);
    const LaunchRequest& request = plan.request;
    const Measurement measurement = launch(plan, caller);
    if (const int number = caller.interrupted; number != 0) {
      caller.observer.on_notice(
          {Severity::warning,
           fmt::format("stopped by signal {}; what was measured so far is in {}", number, request.out_dir.string())});
      result.interrupted_by = number;
      return result;
    }
    caller.observer.on_measured(request.out_dir / "measurement.json", measurement);
    caller.observer.on_times(measured_times(project, plan, measurement));
    result.failed =
        result.failed || std::any_of(measurement.replicates.begin(), measurement.replicates.end(), counts_as_failed);
  }
  return result;
}

}  // namespace stepgate
