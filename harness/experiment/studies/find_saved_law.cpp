#include "experiment/studies/find_saved_law.h"

#include <fmt/format.h>

#include <optional>

#include "core/error.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "experiment/studies/failure_text.h"
#include "experiment/swept/sweep_grid.h"
#include "experiment/swept/swept_case.h"
#include "judge/studies/fit_saved_law.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// The counts of its process, or why there are none. Absent if the user interrupted it.
std::optional<SavedSetting> measured(const LaunchRequest& request, const std::vector<std::string>& values,
                                     const LaunchCallbacks& callbacks) {
  SavedSetting setting{.values = values};
  const Measurement measurement = measure_case(request, callbacks);
  for (const Replicate& replicate : measurement.replicates) {
    if (counts_as_failed(replicate)) {
      if (replicate.failure->kind == FailureKind::interrupted) return std::nullopt;
      setting.failure = failure_text(*replicate.failure);
    } else if (replicate.record) {
      try {
        setting.steps = saved_steps(*replicate.record);
      } catch (const Error& error) {
        setting.failure = fmt::format("{}; {}", error.what(), error.remedy());
      }
    }
  }
  if (setting.steps.empty() && setting.failure.empty()) setting.failure = "its process gave no record";
  return setting;
}

}  // namespace

SavedLawStudy find_saved_law(const Project& project, const SavedLawOptions& options, const Caller& caller) {
  refuse_debug_build(project.manifest);
  const ManifestCase entry = case_to_sweep(project, options.case_name);
  refuse_unbuilt(project.manifest, {entry});
  const Policy policy = read_policy(project, entry.suite);
  const std::vector<SweptParameter> parameters = swept_parameters(options.parameters);
  const auto grid = grid_of(parameters);
  const fs::path folder = project.out / "sweep" / entry.name / "law";
  prepare_result_folder(folder);
  refuse_undeclared(entry, parameters, folder);

  const QuietHost quiet(options.host, {"sweep", {entry}, 1}, caller);
  LaunchRequest base = request_for({project, options.measure, quiet.measured(), caller}, entry, policy);
  base.groups = {Group::exact};
  base.plan.exact_replicates = 1;

  SavedLawStudy study{.case_name = entry.name};
  for (const SweptParameter& parameter : parameters) study.parameters.push_back(parameter.name);
  std::vector<SavedStep> steps;
  for (std::size_t i = 0; i < grid.size() && !study.interrupted; ++i) {
    LaunchRequest request = base;
    request.plan = plan_of_setting(base.plan, parameters, grid[i]);
    request.out_dir = folder / fmt::format("s{:03}", i);
    const ProcessesSoFar so_far{.done = static_cast<std::int64_t>(i),
                                .planned = static_cast<std::int64_t>(grid.size())};
    if (auto setting = measured(request, grid[i], callbacks_for(caller, so_far))) {
      steps.insert(steps.end(), setting->steps.begin(), setting->steps.end());
      study.settings.push_back(std::move(*setting));
    }
    study.interrupted = caller.interrupted.load() != 0;
  }
  study.fit = fit_saved_law(steps);
  return study;
}

}  // namespace stepgate
