// Measures what the observer of operators costs per operator call, beside the bare call: in a loop of one small
// operator, called from a place as deep in the stack as a layer, and in steps of language/char_lm/tiny. Configured as
// in the counts pass of group exact, interleaved in one process. An empty callback that asks LibTorch for inputs and
// outputs is the least that any observer costs. Prints medians over rounds.
#include <ATen/ops/add.h>
#include <ATen/ops/ones.h>
#include <ATen/record_function.h>
#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "language/char_lm.h"
#include "measure/device/cpu/counting_allocator.h"
#include "measure/device/cpu/cpu_backend.h"
#include "measure/device/work/work_observer.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int calls = 20000;
constexpr int rounds = 21;
constexpr std::int64_t steps = 30;
constexpr int depth = 16;  ///< frames between the loop and the operator, as from main() to a layer of a model

double ns_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// As a layer that adds in place: no allocation, so that only the call costs.
[[gnu::noinline]] void add_below(int frames, at::Tensor& sum, const at::Tensor& term) {
  if (frames > 0) {
    add_below(frames - 1, sum, term);
  } else {
    sum.add_(term);
  }
  benchmark::ClobberMemory();  // keeps the frame: the call above is not the last thing
}

double loop_ns() {
  const at::NoGradGuard no_grad;
  at::Tensor sum = at::ones({64});
  const at::Tensor term = at::ones({64});
  const auto begin = Clock::now();
  for (int i = 0; i < calls; ++i) add_below(depth, sum, term);
  return ns_since(begin) / calls;
}

/// `body` in boundary forward of an observer; calls that it saw go to `seen`.
double observed_ns(const stepgate::ObserverOptions& options, const std::function<double()>& body, double& seen) {
  stepgate::WorkObserver observer(options);
  observer.start();
  observer.enter("forward");
  const double ns = body();
  observer.leave();
  observer.end_step();
  observer.stop();
  seen = 0;
  for (const stepgate::OperatorSite& site : observer.take().sites) seen += static_cast<double>(site.calls);
  return ns;
}

/// `body` below a callback that does nothing.
double emptily_observed_ns(const std::function<double()>& body) {
  const at::CallbackHandle handle = at::addGlobalCallback(
      at::RecordFunctionCallback(
          [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> { return nullptr; },
          [](const at::RecordFunction&, at::ObserverContext*) {})
          .needsInputs(true)
          .needsOutputs(true)
          .scopes({at::RecordScope::FUNCTION}));
  const double ns = body();
  at::removeCallback(handle);
  return ns;
}

/// Steps of the workload, in nanoseconds each.
double steps_ns(stepgate::Workload& workload) {
  const auto begin = Clock::now();
  for (std::int64_t i = 0; i < steps; ++i) {
    const stepgate::Batch batch = workload.next_batch();
    const torch::Tensor loss = workload.forward(batch);
    workload.backward(loss);
    workload.optimizer_step();
    workload.log_step(i, loss);
  }
  return ns_since(begin) / static_cast<double>(steps);
}

struct Configuration {
  const char* name;
  stepgate::ObserverOptions options;
  std::vector<double> loop = {};
  std::vector<double> step = {};  ///< nanoseconds that one step takes more
  double step_calls = 0;
};

/// A loop and steps without observer, and with the empty callback.
struct Bounds {
  std::vector<double> bare_loop = {};
  std::vector<double> bare_step = {};
  std::vector<double> empty_loop = {};
  std::vector<double> empty_step = {};  ///< nanoseconds that one step takes more
};

void print(const std::vector<Configuration>& configurations, const Bounds& bounds) {
  const double bare_loop = median(bounds.bare_loop);
  const double calls_a_step = configurations.front().step_calls / static_cast<double>(steps);
  std::printf("a call of add_ on 64 floats below %d frames, median of %d interleaved rounds x %d calls\n", depth,
              rounds, calls);
  std::printf("  %-44s %8.0f ns\n", "bare", bare_loop);
  std::printf("  %-44s %8.0f ns   adds %.0f ns\n", "an empty callback of LibTorch", median(bounds.empty_loop),
              median(bounds.empty_loop) - bare_loop);
  for (const Configuration& each : configurations) {
    std::printf("  %-44s %8.0f ns   adds %.0f ns (target 1000)\n", each.name, median(each.loop),
                median(each.loop) - bare_loop);
  }
  std::printf("a step of language/char_lm/tiny, median of %d interleaved rounds x %lld steps\n", rounds,
              static_cast<long long>(steps));
  std::printf("  %-44s %8.2f ms\n", "bare", median(bounds.bare_step) / 1e6);
  std::printf("  %-44s %8.2f ms more   %.0f ns for each of %.0f operators\n", "an empty callback of LibTorch",
              median(bounds.empty_step) / 1e6, median(bounds.empty_step) / calls_a_step, calls_a_step);
  for (const Configuration& each : configurations) {
    std::printf("  %-44s %8.2f ms more   %.0f ns for each of %.0f operators\n", each.name, median(each.step) / 1e6,
                median(each.step) / calls_a_step, calls_a_step);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* data_dir = argc > 1 ? argv[1] : std::getenv("STEPGATE_DATA_DIR");
  if (data_dir == nullptr) {
    std::fprintf(stderr, "usage: observer_cost DATA_DIR\n");
    return 2;
  }
  torch::manual_seed(1);
  at::set_num_threads(1);
  stepgate::CountingScope counting;
  const auto backend = stepgate::make_cpu_backend(&counting.allocator());
  const auto requested = [&] { return backend->memory().requested_bytes; };
  stepgate::CaseContext context;
  context.seed = 1;
  context.data_dir = data_dir;
  const auto workload = stepgate::make_tiny_char_lm(context);

  std::vector<Configuration> configurations = {
      {"without lines", {.with_lines = false, .requested_bytes = requested}},
      {"with lines, as in the counts pass", {.requested_bytes = requested}},
      {"with lines, by shape, as in a profile", {.by_shape = true}},
  };
  Bounds bounds;
  const auto run_steps = [&] { return steps_ns(*workload); };
  run_steps();  // allocators and kernels of the first steps
  for (int round = 0; round < rounds; ++round) {
    bounds.bare_loop.push_back(loop_ns());
    bounds.bare_step.push_back(run_steps());
    bounds.empty_loop.push_back(emptily_observed_ns(loop_ns));
    bounds.empty_step.push_back(emptily_observed_ns(run_steps) - bounds.bare_step.back());
    for (Configuration& each : configurations) {
      double seen = 0;
      each.loop.push_back(observed_ns(each.options, loop_ns, seen));
      each.step.push_back(observed_ns(each.options, run_steps, each.step_calls) - bounds.bare_step.back());
    }
  }
  print(configurations, bounds);
  return 0;
}
