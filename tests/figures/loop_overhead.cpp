// Measures what running a user's own loop on a fiber adds to a step: the e2e pass over a loop of marks without work,
// compared with the same pass over empty functions and with a bare loop over the same marks. Interleaved; prints
// medians over rounds.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "measure/device/cpu/cpu_backend.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/loop_step.h"
#include "stepgate/host_clock.h"

namespace {

constexpr std::int64_t steps = 20000;
constexpr int rounds = 21;

/// Functions without work.
class EmptyStep final : public stepgate::StepActions {
 public:
  void run(stepgate::Boundary /*boundary*/, std::int64_t /*step*/) override { benchmark::ClobberMemory(); }
  stepgate::BatchInfo batch_info() const override { return {.samples = 1}; }
  void release() override { benchmark::ClobberMemory(); }
};

void empty_loop(stepgate::StepMarks& marks, const stepgate::CaseContext& /*context*/) {
  const torch::Tensor loss = torch::ones({1}).requires_grad_(true);
  while (marks.next_step()) {
    marks.loaded({.samples = 1});
    marks.copied();
    marks.forward_done(loss);
    marks.backward_done();
    marks.optimizer_done();
  }
}

/// Marks without an effect.
class BareMarks final : public stepgate::StepMarks {
 public:
  bool next_step() override { return left_-- > 0; }
  void loaded(const stepgate::StepWork& /*work*/) override { benchmark::ClobberMemory(); }
  void copied(stepgate::TensorView /*on_device*/ = {}) override { benchmark::ClobberMemory(); }
  void forward_done(const at::Tensor& /*loss*/) override { benchmark::ClobberMemory(); }
  void backward_done() override { benchmark::ClobberMemory(); }
  void optimizer_done() override { benchmark::ClobberMemory(); }

 private:
  std::int64_t left_ = steps;
};

double bare_ns() {
  BareMarks marks;
  const std::int64_t begin_ns = stepgate::steady_clock_ns();
  empty_loop(marks, {});
  return static_cast<double>(stepgate::steady_clock_ns() - begin_ns) / static_cast<double>(steps);
}

double pass_ns(stepgate::StepActions& step, stepgate::Backend& backend) {
  stepgate::StepCounts counts;
  counts.e2e = steps;
  counts.window = 100;
  stepgate::TimedRun run{step, backend, counts};
  run.seen_shapes.insert(step.batch_info().shape);
  double wall_ns = 0;
  for (const stepgate::Window& window : run_e2e(run).windows) wall_ns += static_cast<double>(window.wall_ns);
  return wall_ns / static_cast<double>(steps);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  const auto backend = stepgate::make_cpu_backend(nullptr);
  EmptyStep functions;
  stepgate::LoopStep loop(empty_loop, {});
  std::vector<double> bare;
  std::vector<double> direct;
  std::vector<double> driven;
  for (int round = 0; round < rounds; ++round) {
    bare.push_back(bare_ns());
    direct.push_back(pass_ns(functions, *backend));
    driven.push_back(pass_ns(loop, *backend));
  }
  std::printf("per step without work, median of %d interleaved rounds x %lld steps\n", rounds,
              static_cast<long long>(steps));
  std::printf("  bare loop over marks             %8.1f ns\n", median(bare));
  std::printf("  e2e pass over functions          %8.1f ns   adds %.1f ns\n", median(direct),
              median(direct) - median(bare));
  std::printf("  e2e pass over a loop on a fiber  %8.1f ns   adds %.1f ns (target 1000), 12 switches\n", median(driven),
              median(driven) - median(bare));
  return 0;
}
