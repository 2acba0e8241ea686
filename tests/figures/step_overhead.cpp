// Measures what the harness adds to a step: the e2e pass over empty phases, compared with a bare loop of the same calls
// and with Google Benchmark's own loop, interleaved in one process. Prints the median over rounds.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "measure/device/cpu/cpu_backend.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/step_actions.h"

namespace {

/// A step without work.
class EmptyStep final : public stepgate::StepActions {
 public:
  void run(stepgate::Boundary /*boundary*/, std::int64_t /*step*/) override { benchmark::ClobberMemory(); }
  stepgate::BatchInfo batch_info() const override { return {.samples = 1}; }
  void release() override { benchmark::ClobberMemory(); }
};

constexpr std::int64_t steps = 20000;

double nanoseconds_per_step(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
  return spent.count() / static_cast<double>(steps);
}

void run_phases(stepgate::StepActions& step, std::int64_t i) {
  for (const stepgate::Boundary boundary : stepgate::all_boundaries) step.run(boundary, i);
  step.release();
}

double bare_loop(stepgate::StepActions& step) {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < steps; ++i) run_phases(step, i);
  return nanoseconds_per_step(start);
}

double harness_loop(stepgate::StepActions& step, stepgate::Backend& backend) {
  stepgate::StepCounts counts;
  counts.e2e = steps;
  counts.window = 100;
  stepgate::TimedRun run{step, backend, counts};
  run.seen_shapes.insert(step.batch_info().shape);
  const stepgate::TimedPass pass = run_e2e(run);
  double wall_ns = 0;
  for (const stepgate::Window& window : pass.windows) wall_ns += static_cast<double>(window.wall_ns);
  return wall_ns / static_cast<double>(steps);
}

/// Google Benchmark with a manual time per iteration, as a program uses it to time its steps.
double google_loop(stepgate::StepActions& step) {
  double spent = 0;
  auto* registered = benchmark::RegisterBenchmark("empty", [&](benchmark::State& state) {
    const auto start = std::chrono::steady_clock::now();
    std::int64_t i = 0;
    for (auto _ : state) {
      const auto begin = std::chrono::steady_clock::now();
      run_phases(step, i++);
      state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    spent = nanoseconds_per_step(start);
  });
  registered->UseManualTime()->Iterations(steps);
  class Silent final : public benchmark::BenchmarkReporter {
    bool ReportContext(const Context& /*context*/) override { return true; }
    void ReportRuns(const std::vector<Run>& /*report*/) override {}
  } silent;
  benchmark::RunSpecifiedBenchmarks(&silent);
  benchmark::ClearRegisteredBenchmarks();
  return spent;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  EmptyStep step;
  const auto backend = stepgate::make_cpu_backend(nullptr);
  std::vector<double> bare;
  std::vector<double> harness;
  std::vector<double> google;
  for (int round = 0; round < 21; ++round) {
    bare.push_back(bare_loop(step));
    harness.push_back(harness_loop(step, *backend));
    google.push_back(google_loop(step));
  }
  // LibTorch brings its own fmt headers, so plain printf here.
  std::printf("per step of empty phases, median of %zu interleaved rounds x %lld steps\n", bare.size(),
              static_cast<long long>(steps));
  std::printf("  bare loop                     %8.1f ns\n", median(bare));
  std::printf("  stepgate e2e, 6 boundaries    %8.1f ns   adds %.1f ns (target 1000)\n", median(harness),
              median(harness) - median(bare));
  std::printf("  Google Benchmark, manual time %8.1f ns   adds %.1f ns, one interval\n", median(google),
              median(google) - median(bare));
  return 0;
}
