#include "diagnose/profile/step/step_means.h"

#include <algorithm>

#include "stats/summary.h"

namespace stepgate {
namespace {

bool timed_by_step(const TimedPass& pass) {
  return pass.windows.empty() || (pass.clock == "steady_clock" && !pass.steps.empty());
}

}  // namespace

const TimedPass* timed_pass(const RunRecord& record, Pass pass) {
  const auto at = record.timed.find(std::string(name_of(pass)));
  return at == record.timed.end() ? nullptr : &at->second;
}

std::vector<const StepSample*> warm_steps(const Records& records, Pass pass) {
  std::vector<const StepSample*> steps;
  for (const RunRecord* record : records) {
    const TimedPass* found = timed_pass(*record, pass);
    if (found == nullptr) continue;
    for (const StepSample& step : found->steps) {
      if (!step.left_out()) steps.push_back(&step);
    }
  }
  return steps;
}

double mean_over_steps(const Records& records, Pass pass, const std::function<double(const StepSample&)>& value) {
  const auto steps = warm_steps(records, pass);
  double sum = 0;
  for (const StepSample* step : steps) sum += value(*step);
  return steps.empty() ? 0 : sum / static_cast<double>(steps.size());
}

double host_time_ns(const Records& records, Boundary boundary) {
  const auto index = static_cast<std::size_t>(boundary);
  return mean_over_steps(records, Pass::e2e,
                         [index](const StepSample& step) { return static_cast<double>(step.host_ns[index]); });
}

std::optional<double> loading_time_ns(const Records& records) {
  double ns = 0;
  double batches = 0;
  for (const RunRecord* record : records) {
    const TimedPass* pass = timed_pass(*record, Pass::loader);
    if (pass == nullptr) continue;
    for (const Window& window : pass->windows) {
      ns += static_cast<double>(window.wall_ns);
      batches += static_cast<double>(window.steps);
    }
  }
  if (batches == 0) return std::nullopt;
  return ns / batches;
}

std::vector<double> step_times(const RunRecord& record) {
  std::vector<double> times;
  const TimedPass* pass = timed_pass(record, Pass::e2e);
  if (pass == nullptr) return times;
  if (timed_by_step(*pass)) {
    for (const StepSample& step : pass->steps) {
      if (!step.left_out()) times.push_back(static_cast<double>(step.wall_ns));
    }
    return times;
  }
  for (const Window& window : pass->windows) {
    if (window.left_out() || window.steps <= 0) continue;
    times.push_back(static_cast<double>(window.wall_ns) / static_cast<double>(window.steps));
  }
  return times;
}

std::optional<double> counted_per_step(const Measurement& exact, const std::string& metric) {
  std::vector<double> values;
  for (const RunRecord* record : clean_records(exact, Group::exact)) {
    if (!record->counts) continue;
    const auto at = record->counts->per_step.find(metric);
    if (at != record->counts->per_step.end()) values.insert(values.end(), at->second.begin(), at->second.end());
  }
  if (values.empty()) return std::nullopt;
  return mean(values);
}

std::vector<double> device_idle_shares(const Records& timed) {
  std::vector<double> shares;
  for (const RunRecord* record : timed) {
    double work_ns = 0;
    double steps = 0;
    for (const DeviceWorkWindow& window : record->device_work) {
      if (window.left_out()) continue;
      work_ns += static_cast<double>(window.work_ns);
      steps += static_cast<double>(window.steps);
    }
    const auto times = step_times(*record);
    if (steps > 0 && !times.empty()) shares.push_back(std::clamp(1 - work_ns / steps / mean(times), 0.0, 1.0));
  }
  return shares;
}

bool runs_on_gpu(const Measurement& timed) { return timed.plan.device == Device::cuda; }

}  // namespace stepgate
