#include "measure/program/benchmark_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

namespace stepgate {
namespace {

std::string text_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& failure) {
    return failure.what();
  } catch (...) {
    return "unknown failure";
  }
}

void show(const PassReport& report, benchmark::State& state) {
  for (const auto& [name, value] : report.counters) state.counters[name] = value;
  if (!report.label.empty()) state.SetLabel(report.label);
  if (report.samples > 0) state.SetItemsProcessed(report.samples);
}

void run_once(const BenchmarkPass& pass, FirstFailure& failure, benchmark::State& state) {
  PassReport report;
  try {
    report = pass.run();
  } catch (...) {
    failure.thrown = std::current_exception();
    state.SkipWithError(text_of(failure.thrown).c_str());
    return;
  }
  std::size_t step = 0;
  for ([[maybe_unused]] auto iteration : state) {
    // Exact passes have no times: their row reads 0.
    state.SetIterationTime(step < report.step_ns.size() ? static_cast<double>(report.step_ns[step]) * 1e-9 : 0.0);
    ++step;
  }
  show(report, state);
}

double mean_of(const std::vector<std::int64_t>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

PassReport timed_report(const TimedPass& pass, const StepBoundaries& boundaries) {
  PassReport report;
  const bool asynchronous = std::any_of(pass.steps.begin(), pass.steps.end(),
                                        [](const StepSample& step) { return step.device_ns.has_value(); });
  std::array<double, boundary_slots> totals{};
  std::size_t timed_steps = 0;
  for (const StepSample& step : pass.steps) {
    report.step_ns.push_back(step.wall_ns);
    report.samples += step.samples;
    if (asynchronous && !step.device_ns) continue;  // a window without events
    ++timed_steps;
    for (std::size_t i = 0; i < boundary_slots; ++i) {
      totals[i] += static_cast<double>(step.device_ns.value_or(step.host_ns)[i]);
    }
  }
  // If a device runs behind the host, only the window knows when its steps were done.
  for (const Window& window : pass.windows) {
    for (std::int64_t i = 0; i < window.steps; ++i) {
      report.step_ns.at(static_cast<std::size_t>(window.first_step + i)) = window.wall_ns / window.steps;
    }
  }
  for (const Boundary boundary : boundaries.order()) {
    const std::string name = fmt::format("{}_ns", boundaries.name(boundary));
    report.counters[name] = totals[static_cast<std::size_t>(boundary)] / static_cast<double>(timed_steps);
  }
  return report;
}

PassReport copies_report(const CopyTrials& trials) {
  PassReport report;
  if (trials.simulated) report.label = "copies within the host";
  for (const CopySeries& one : trials.series) {
    const std::string name =
        fmt::format("{}_{}x{}_bytes_per_s", one.pinned ? "pinned" : "pageable", one.tensors, one.bytes / one.tensors);
    const double mean_ns = mean_of(one.trial_ns);
    if (mean_ns > 0) report.counters[name] = static_cast<double>(one.bytes) * 1e9 / mean_ns;
  }
  return report;
}

PassReport logging_report(const std::vector<LoggingBlock>& blocks) {
  PassReport report;
  for (const LoggingBlock& block : blocks) {
    for (std::int64_t i = 0; i < block.steps; ++i) report.step_ns.push_back(block.wall_ns / block.steps);
    report.counters[block.on ? "with_logging_ns" : "without_logging_ns"] +=
        2.0 * static_cast<double>(block.wall_ns) / static_cast<double>(block.steps * std::ssize(blocks));
  }
  return report;
}

PassReport requests_report(const std::optional<ClosedLoop>& requests) {
  PassReport report;
  if (!requests) return report;
  report.step_ns = requests->latency_ns;
  report.samples = requests->samples;
  for (const auto& [boundary, times] : requests->boundary_ns) report.counters[boundary + "_ns"] = mean_of(times);
  return report;
}

PassReport open_requests_report(const std::optional<OpenLoop>& requests) {
  PassReport report;
  if (!requests) report.label = "no CPU is left for the generator of requests";
  if (!requests) return report;
  report.step_ns = requests->latency_ns;
  report.counters["rate_per_s"] = requests->rate_per_s;
  report.counters["capacity_per_s"] = requests->capacity_per_s;
  return report;
}

PassReport device_work_report(const std::vector<DeviceWorkWindow>& windows) {
  PassReport report;
  report.label = windows.empty() ? "no records of the device's work here" : "traced: slower than the e2e pass";
  double work_ns = 0;
  for (const DeviceWorkWindow& window : windows) {
    for (std::int64_t i = 0; i < window.steps; ++i) report.step_ns.push_back(window.wall_ns / window.steps);
    work_ns += static_cast<double>(window.work_ns);
  }
  if (!windows.empty()) report.counters["device_work_ns"] = work_ns / static_cast<double>(report.step_ns.size());
  return report;
}

PassReport checkpoint_report(const std::optional<CheckpointSaves>& saves) {
  PassReport report;
  if (!saves) report.label = "the workload saves no checkpoint";
  if (!saves) return report;
  report.step_ns = saves->save_ns;
  if (report.step_ns.empty()) report.label = "exact pass: bytes, no times";
  report.counters["checkpoint_bytes"] = static_cast<double>(saves->bytes.back());
  return report;
}

PassReport counts_report(const WorkCounts& counts) {
  PassReport report;
  report.label = "exact pass: counts, no times";
  for (const auto& [metric, values] : counts.per_step) report.counters[metric] = mean_of(values);
  return report;
}

PassReport memory_report(const MemoryProfile& memory) {
  PassReport report;
  report.label = "exact pass: bytes, no times";
  for (const auto& [series, values] : memory.series) report.counters[series] = static_cast<double>(values.back());
  return report;
}

PassReport numerics_report(const NumericTrace& numerics) {
  PassReport report;
  report.label = fmt::format("exact pass: losses {}, no times", numerics.loss_digest);
  report.counters["first_loss"] = numerics.loss.front();
  report.counters["last_loss"] = numerics.loss.back();
  return report;
}

PassReport instructions_report(const std::optional<InstructionCounts>& counts) {
  PassReport report;
  report.label = counts ? "exact pass: host instructions, no times" : "no counter of instructions here";
  if (counts) report.counters["host_instructions_per_step"] = mean_of(counts->per_step);
  return report;
}

}  // namespace

void register_pass(const BenchmarkPass& pass, FirstFailure& failure) {
  const auto ran = std::make_shared<bool>(false);
  const auto body = [pass, ran, &failure](benchmark::State& state) {
    if (failure.thrown) {
      state.SkipWithError("not run after the failure above");
    } else if (*ran) {
      state.SkipWithError("a pass runs once per process");
    } else {
      *ran = true;
      run_once(pass, failure, state);
    }
  };
  benchmark::RegisterBenchmark(pass.name.c_str(), body)
      ->UseManualTime()
      ->Iterations(pass.steps)
      ->Repetitions(1)
      ->Unit(benchmark::kMillisecond);
}

PassReport report_of(const RunRecord& found, Pass pass) {
  switch (row_of(pass).yields) {
    case PassYield::timed_steps:
      return timed_report(found.timed.at(std::string(name_of(pass))), found.boundaries);
    case PassYield::closed_loop:
      return requests_report(found.requests);
    case PassYield::open_loop:
      return open_requests_report(found.open_requests);
    case PassYield::copies:
      return copies_report(found.h2d.value());
    case PassYield::logging_blocks:
      return logging_report(found.logging);
    case PassYield::device_work:
      return device_work_report(found.device_work);
    case PassYield::checkpoint:
      return checkpoint_report(found.checkpoint);
    case PassYield::counts:
      return counts_report(found.counts.value());
    case PassYield::memory:
      return memory_report(found.memory.value());
    case PassYield::numerics:
      return numerics_report(found.numerics.value());
    case PassYield::instructions:
      return instructions_report(found.instructions);
    case PassYield::profile:
      break;
  }
  return {};
}

}  // namespace stepgate
