#include "judge/reduce/reduce_timed.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/units.h"
#include "judge/reduce/find_pass.h"
#include "judge/reduce/host_lead.h"
#include "judge/reduce/input_values.h"
#include "judge/reduce/metric_collector.h"
#include "judge/requests/latency_values.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr double flops_per_tflop = 1e12;
constexpr const char* no_samples = "the workload counts no samples";

/// Step times of a pass, and the samples and tokens of its timed part.
struct PassTimes {
  std::vector<double> step_ns;  ///< per step or per window
  double wall_ns = 0;
  double steps = 0;
  double samples = 0;
  double padded_tokens = 0;
  double effective_tokens = 0;
  double flops = 0;
};

void add_work(const StepSample& step, PassTimes& times) {
  times.samples += static_cast<double>(step.samples);
  times.padded_tokens += static_cast<double>(step.padded_tokens);
  times.effective_tokens += static_cast<double>(step.effective_tokens);
  times.flops += static_cast<double>(step.flops.value_or(0));
}

PassTimes times_of_steps(const TimedPass& pass) {
  PassTimes times;
  for (const StepSample& step : pass.steps) {
    if (step.left_out()) continue;
    times.step_ns.push_back(static_cast<double>(step.wall_ns));
    times.wall_ns += static_cast<double>(step.wall_ns);
    times.steps += 1;
    add_work(step, times);
  }
  return times;
}

PassTimes times_of_windows(const TimedPass& pass) {
  PassTimes times;
  for (const Window& window : pass.windows) {
    if (window.left_out() || window.steps <= 0) continue;
    times.step_ns.push_back(static_cast<double>(window.wall_ns) / static_cast<double>(window.steps));
    times.wall_ns += static_cast<double>(window.wall_ns);
    times.steps += static_cast<double>(window.steps);
    times.samples += static_cast<double>(window.samples.value_or(0));
    const auto end = std::min<std::int64_t>(window.first_step + window.steps, std::ssize(pass.steps));
    for (std::int64_t i = std::max<std::int64_t>(0, window.first_step); i < end; ++i) {
      add_work(pass.steps[static_cast<std::size_t>(i)], times);
    }
  }
  return times;
}

PassTimes times_of(const TimedPass& pass) {
  return timed_by_step(pass) ? times_of_steps(pass) : times_of_windows(pass);
}

bool has_samples(const TimedPass& pass) { return !pass.steps.empty() || !pass.windows.empty(); }

/// The reason for a pass whose steps are all left out.
std::string why_left_out(const TimedPass& pass) {
  const auto skipped = [](const auto& one) { return one.skipped_update; };
  const auto cold = [](const auto& one) { return one.cold_shape; };
  const bool any_skipped = std::ranges::any_of(pass.steps, skipped) || std::ranges::any_of(pass.windows, skipped);
  const bool any_cold = std::ranges::any_of(pass.steps, cold) || std::ranges::any_of(pass.windows, cold);
  if (any_skipped && any_cold) return "every step met a shape never seen before or lies beside a skipped update";
  return any_skipped ? "in every window the loss scaler skipped an update" : "every step met a shape never seen before";
}

std::string why_no_times(const TimedPass* pass) {
  if (pass == nullptr) return "the pass did not run";
  return has_samples(*pass) ? why_left_out(*pass) : "the pass recorded no step";
}

/// Rates over the whole pass: processed amount over time.
void add_rates(const PassTimes& times, MetricCollector& collector) {
  const double seconds = times.wall_ns / ns_per_s;
  if (!(seconds > 0)) return;
  collector.add_positive("samples_per_s", times.samples / seconds, no_samples);
  collector.add("steps_per_s", times.steps / seconds);
  const char* const no_effective =
      times.padded_tokens > 0 ? "the workload declares no effective tokens" : "the workload has no tokens";
  collector.add_positive("padded_tokens_per_s", times.padded_tokens / seconds, "the workload has no tokens");
  collector.add_positive("effective_tokens_per_s", times.effective_tokens / seconds, no_effective);
  collector.add_positive("tflop_per_s", times.flops / seconds / flops_per_tflop,
                         "the workload declares no FLOPs: set Batch::flops, or StepWork::flops in a loop");
  if (times.padded_tokens > 0 && times.effective_tokens > 0) {
    collector.add("padding_ratio", 1 - times.effective_tokens / times.padded_tokens);
  } else {
    collector.miss("padding_ratio", no_effective);
  }
}

void add_end_to_end(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  const PassTimes times = pass == nullptr ? PassTimes{} : times_of(*pass);
  if (times.step_ns.empty()) {
    for (const char* metric : {"step_time_ns", "step_time_mean_ns", "samples_per_s", "steps_per_s",
                               "padded_tokens_per_s", "effective_tokens_per_s", "padding_ratio", "tflop_per_s"}) {
      collector.miss(metric, why_no_times(pass));
    }
    return;
  }
  collector.add("step_time_ns", median(times.step_ns));
  collector.add("step_time_mean_ns", times.wall_ns / times.steps);
  add_rates(times, collector);
}

std::vector<double> boundary_times(const TimedPass& pass, Boundary boundary) {
  std::vector<double> result;
  for (const StepSample& step : pass.steps) {
    if (!step.left_out()) result.push_back(static_cast<double>(step.host_ns[static_cast<std::size_t>(boundary)]));
  }
  return result;
}

/// A thousand requests in place of the few steps of the phase pass. On a CPU the marks between the boundaries of a
/// request are their ends; on a GPU they are when its work was queued, so nothing is returned.
std::vector<double> boundary_times_of_requests(const RunRecord& record, Boundary boundary) {
  const auto device = record.fingerprint.find("device");
  if (!record.requests || device == record.fingerprint.end() || device->second != "cpu") return {};
  const auto times = record.requests->boundary_ns.find(std::string(record.boundaries.name(boundary)));
  if (times == record.requests->boundary_ns.end()) return {};
  return {times->second.begin(), times->second.end()};
}

void add_boundaries(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::phase);
  for (const Boundary boundary : record.boundaries.order()) {
    const std::string metric = record.boundaries.metric(boundary);
    const std::vector<double> times = pass == nullptr ? std::vector<double>{} : boundary_times(*pass, boundary);
    if (times.empty()) {
      collector.miss(metric, why_no_times(pass));
      continue;
    }
    // The phase pass knows where nothing happens: between two marks of a request there is always the time of a mark.
    const double in_phase = median(times);
    const std::vector<double> requests =
        in_phase > 0 ? boundary_times_of_requests(record, boundary) : std::vector<double>{};
    collector.add_positive(metric, requests.empty() ? in_phase : median(requests), "nothing happens at this boundary");
  }
}

void add_synthetic(const RunRecord& record, MetricCollector& collector) {
  const TimedPass* pass = find_pass(record, Pass::synthetic);
  const PassTimes times = pass == nullptr ? PassTimes{} : times_of(*pass);
  if (times.step_ns.empty()) {
    collector.miss("synthetic_step_ns", why_no_times(pass));
  } else {
    collector.add("synthetic_step_ns", median(times.step_ns));
  }
}

/// Sum of the measured boundaries; absent if the phase pass measured none.
std::optional<double> sum_of_boundaries(const StepBoundaries& boundaries, const MetricCollector& collector) {
  std::optional<double> sum;
  for (const Boundary boundary : boundaries.order()) {
    const auto value = collector.value(boundaries.metric(boundary));
    if (value) sum = sum.value_or(0) + *value;
  }
  return sum;
}

void add_background(const RunRecord& record, MetricCollector& collector) {
  if (record.background && record.background->steps > 0) {
    collector.add("background_cpu_ns_per_step",
                  static_cast<double>(record.background->cpu_ns) / static_cast<double>(record.background->steps));
  } else {
    collector.miss("background_cpu_ns_per_step", "the program does not read it: it is older, or no perftest program");
  }
}

void add_ratios(const RunRecord& record, MetricCollector& collector) {
  const auto step = collector.value("step_time_ns");
  const auto synthetic = collector.value("synthetic_step_ns");
  const auto boundaries = sum_of_boundaries(record.boundaries, collector);
  const bool comparable = step && *step > 0;
  if (comparable && synthetic) {
    collector.add("stall_ratio", 1 - *synthetic / *step);
  } else {
    collector.miss("stall_ratio", "needs the e2e and the synthetic pass");
  }
  if (comparable && boundaries) {
    collector.add("sync_tax_ratio", *boundaries / *step - 1);
  } else {
    collector.miss("sync_tax_ratio", "needs the e2e and the phase pass");
  }
}

void add_latency_values(const LatencyValues& found, MetricCollector& collector) {
  for (const auto& [metric, value] : found.values) collector.add(metric, value);
  for (const auto& [metric, reason] : found.absent) collector.miss(metric, reason);
}

/// The work of a request over the mean latency, in place of that of a step of the e2e pass: such a rate follows from
/// the latency that gates. Tokens and FLOPs, which the pass of the requests does not count, are those of a step.
void add_rates_of_requests(const ClosedLoop& loop, MetricCollector& collector) {
  const auto latency = collector.value("latency_mean_ns");
  if (!latency || !(*latency > 0)) return;
  const double requests_per_s = ns_per_s / *latency;
  const auto step = collector.value("step_time_mean_ns");
  for (const char* rate : {"samples_per_s", "padded_tokens_per_s", "tflop_per_s"}) {
    const auto of_steps = collector.value(rate);
    if (of_steps && step) collector.add(rate, *of_steps * (*step / ns_per_s) * requests_per_s);
  }
  collector.add("steps_per_s", requests_per_s);
  if (loop.samples > 0) {
    const double of_request = static_cast<double>(loop.samples) / static_cast<double>(loop.latency_ns.size());
    collector.add("samples_per_s", of_request * requests_per_s);
  }
}

/// Where latencies were measured, they are judged in place of what the steps and the loader say of the same requests.
void add_requests(const RunRecord& record, MetricCollector& collector) {
  if (record.open_requests) add_latency_values(open_loop_values(*record.open_requests), collector);
  if (!record.requests || record.requests->latency_ns.empty()) return;
  add_latency_values(closed_loop_values(*record.requests), collector);
  add_rates_of_requests(*record.requests, collector);
  collector.withdraw("step_time_ns", "the latency says it of an inference case");
  collector.withdraw("step_time_mean_ns", "the latency says it of an inference case");
  collector.withdraw("effective_tokens_per_s", "the latency says it of an inference case");
  collector.withdraw("loader_samples_per_s", "loading is part of the latency of an inference case");
}

/// Samples of a step over the whole pass: energy is read whatever a step was left out for.
double samples_per_step(const RunRecord& record) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  if (pass == nullptr || pass->steps.empty()) return 0;
  double samples = 0;
  for (const StepSample& step : pass->steps) samples += static_cast<double>(step.samples);
  return samples / static_cast<double>(pass->steps.size());
}

/// One counter of energy and its two metrics.
struct EnergyRow {
  EvidenceKey key;
  const char* per_step;
  const char* per_sample;
};
constexpr EnergyRow energy_rows[] = {
    {EvidenceKey::gpu_energy_j, "gpu_energy_per_step_j", "gpu_energy_per_sample_j"},
    {EvidenceKey::package_energy_j, "package_energy_per_step_j", "package_energy_per_sample_j"},
};

}  // namespace

void add_energy(const Evidence& evidence, const RunRecord& record, TimedValues& values) {
  const auto steps = evidence.values.find(EvidenceKey::energy_steps);
  const double samples = samples_per_step(record);
  for (const EnergyRow& row : energy_rows) {
    const auto energy = evidence.values.find(row.key);
    if (energy != evidence.values.end() && steps != evidence.values.end() && steps->second > 0) {
      const double per_step = energy->second / steps->second;
      values.values[row.per_step] = per_step;
      if (samples > 0) values.values[row.per_sample] = per_step / samples;
      if (!(samples > 0)) values.absent.try_emplace(row.per_sample, no_samples);
    } else if (const auto why = evidence.absent.find(row.key); why != evidence.absent.end()) {
      for (const char* metric : {row.per_step, row.per_sample}) values.absent.try_emplace(metric, why->second);
    }
  }
}

TimedValues timed_values(const RunRecord& record) {
  MetricCollector collector(record);
  add_end_to_end(record, collector);
  if (record.warmup) {
    collector.add_positive("first_step_ns", static_cast<double>(record.warmup->first_step_ns), "no cold first step");
  } else {
    collector.miss("first_step_ns", "the record has no warm-up");
  }
  add_boundaries(record, collector);
  add_synthetic(record, collector);
  add_loader(record, collector);
  add_copies(record, collector);
  add_device_idle(record, collector);
  add_device_time(record, collector);
  add_logging(record, collector);
  add_checkpoint_save(record, collector);
  add_exchange(record, collector);
  add_background(record, collector);
  add_ratios(record, collector);
  add_host_lead(record, collector);
  add_requests(record, collector);  // last: the figures above are computed from what it withdraws
  return collector.take();
}

TimedValues reference_values(const RunRecord& record) {
  TimedValues result;
  const TimedPass* pass = find_pass(record, Pass::e2e);
  const PassTimes times = pass == nullptr ? PassTimes{} : times_of(*pass);
  if (times.step_ns.empty()) {
    result.absent["reference_step_ns"] = why_no_times(pass);
  } else {
    result.values["reference_step_ns"] = median(times.step_ns);
  }
  return result;
}

std::string why_nothing_timed(const RunRecord& record) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  const bool all = pass != nullptr && has_samples(*pass) && times_of(*pass).step_ns.empty();
  return all ? why_left_out(*pass) : "";
}

}  // namespace stepgate
