#include "diagnose/profile/step/step_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/units.h"
#include "stats/summary.h"

namespace stepgate {

StepStatistics step_statistics(const Records& timed) {
  StepStatistics found;
  std::vector<double> times;
  for (const RunRecord* record : timed) {
    const auto of_process = step_times(*record);
    times.insert(times.end(), of_process.begin(), of_process.end());
    if (record->warmup) found.steady_after = std::max(found.steady_after, record->warmup->steps);
  }
  if (times.empty()) return found;
  found.steps = std::ssize(times);
  found.median_ns = median(times);
  found.mean_ns = mean(times);
  found.sd_ns = times.size() > 1 ? std::sqrt(sample_variance(times)) : 0;
  found.p95_ns = quantile(times, 0.95);
  found.p99_ns = quantile(times, 0.99);
  const auto [lowest, highest] = std::minmax_element(times.begin(), times.end());
  found.min_ns = *lowest;
  found.max_ns = *highest;
  return found;
}

std::map<std::string, double> throughput_of(const Records& timed, double step_ns) {
  std::map<std::string, double> found;
  if (!(step_ns > 0)) return found;
  const auto per_s = [&](const char* name, const std::function<double(const StepSample&)>& amount) {
    const double per_step = mean_over_steps(timed, Pass::e2e, amount);
    if (per_step > 0) found[name] = per_step / (step_ns / ns_per_s);
  };
  per_s("samples_per_s", [](const StepSample& step) { return static_cast<double>(step.samples); });
  per_s("padded_tokens_per_s", [](const StepSample& step) { return static_cast<double>(step.padded_tokens); });
  per_s("effective_tokens_per_s", [](const StepSample& step) { return static_cast<double>(step.effective_tokens); });
  const auto padded = found.find("padded_tokens_per_s");
  const auto effective = found.find("effective_tokens_per_s");
  if (padded != found.end() && effective != found.end())
    found["padding_ratio"] = 1 - effective->second / padded->second;
  return found;
}

std::map<std::string, double> component_times(const Records& timed) {
  std::map<std::string, double> found;
  if (timed.empty()) return found;
  const StepBoundaries& boundaries = timed.front()->boundaries;
  for (const Boundary boundary : boundaries.order()) {
    const auto index = static_cast<std::size_t>(boundary);
    const double ns = mean_over_steps(
        timed, Pass::phase, [index](const StepSample& step) { return static_cast<double>(step.host_ns[index]); });
    if (ns > 0) found[std::string(boundaries.name(boundary))] = ns;
  }
  return found;
}

}  // namespace stepgate
