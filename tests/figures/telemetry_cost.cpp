// Measures what telemetry costs a training step: off, in a loop of its calls beside an empty one; on, the time of its
// calls in steps of language/char_lm/tiny beside those steps, files included. Prints medians over rounds.
#include <benchmark/benchmark.h>
#include <torch/torch.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "language/char_lm.h"
#include "stepgate/telemetry.h"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int calls = 200000;
constexpr int rounds = 11;
constexpr std::int64_t steps = 100;  ///< a round: two windows of 50 records, so that their files count

double ns_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What a loop tells: loss, norm of each gradient and of all, learning rate.
struct Told {
  torch::OrderedDict<std::string, torch::Tensor> parameters;
  torch::optim::SGD optimizer;  ///< never steps; its learning rate is recorded

  explicit Told(const std::vector<torch::Tensor>& tensors) : optimizer(tensors, torch::optim::SGDOptions(0.1)) {
    for (const torch::Tensor& tensor : tensors) parameters.insert("p" + std::to_string(parameters.size()), tensor);
  }
};

void tell(stepgate::Telemetry& telemetry, std::int64_t step, const torch::Tensor& loss, const Told& told) {
  if (!telemetry.begin_step(step)) return;
  telemetry.scalar("loss", loss.detach());
  telemetry.gradient_norms(told.parameters);
  telemetry.learning_rate(told.optimizer);
  telemetry.end_step();
}

double empty_ns() {
  const auto begin = Clock::now();
  for (int i = 0; i < calls; ++i) benchmark::ClobberMemory();
  return ns_since(begin) / calls;
}

double off_ns(const torch::Tensor& loss, const Told& told) {
  stepgate::Telemetry telemetry;
  benchmark::DoNotOptimize(telemetry);  // as in a program that decides at run time
  const auto begin = Clock::now();
  for (int i = 0; i < calls; ++i) {
    tell(telemetry, i, loss, told);
    benchmark::ClobberMemory();
  }
  return ns_since(begin) / calls;
}

/// Nanoseconds of one step, and of telemetry in it.
struct StepCost {
  double step_ns = 0;
  double telemetry_ns = 0;
};

StepCost train(stepgate::Workload& workload, stepgate::Telemetry& telemetry, const Told& told) {
  StepCost cost;
  const auto begin = Clock::now();
  for (std::int64_t i = 0; i < steps; ++i) {
    const stepgate::Batch batch = workload.next_batch();
    const torch::Tensor loss = workload.forward(batch);
    workload.backward(loss);
    const auto told_from = Clock::now();
    tell(telemetry, i, loss, told);
    cost.telemetry_ns += ns_since(told_from) / static_cast<double>(steps);
    workload.optimizer_step();
  }
  cost.step_ns = ns_since(begin) / static_cast<double>(steps) - cost.telemetry_ns;
  return cost;
}

struct Setting {
  const char* name;
  stepgate::Telemetry telemetry;
  std::vector<double> ns = {};
  std::vector<double> share = {};
};

void print(const std::vector<Setting>& settings, const std::vector<double>& step_ns) {
  std::printf("in a step of language/char_lm/tiny, median of %d interleaved rounds x %lld steps\n", rounds,
              static_cast<long long>(steps));
  std::printf("  %-40s %10.2f us\n", "the step itself", median(step_ns) / 1e3);
  for (const Setting& each : settings) {
    std::printf("  %-40s %10.2f us   %.3f %% of the step (target 1 %%)\n", each.name, median(each.ns) / 1e3,
                100 * median(each.share));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const char* data_dir = argc > 1 ? argv[1] : std::getenv("STEPGATE_DATA_DIR");
  if (data_dir == nullptr) {
    std::fprintf(stderr, "usage: telemetry_cost DATA_DIR\n");
    return 2;
  }
  torch::manual_seed(1);
  at::set_num_threads(1);
  stepgate::CaseContext context;
  context.seed = 1;
  context.data_dir = data_dir;
  const auto workload = stepgate::make_tiny_char_lm(context);
  const Told told(workload->parameters());
  const torch::Tensor loss = torch::zeros({});

  std::vector<double> empty;
  std::vector<double> off;
  for (int round = 0; round < rounds; ++round) {
    empty.push_back(empty_ns());
    off.push_back(off_ns(loss, told));
  }
  std::printf("telemetry off: all its calls of a step %.2f ns, beside %.2f ns of an empty loop\n", median(off),
              median(empty));

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("stepgate-telemetry-cost-" + std::to_string(getpid()));
  std::vector<Setting> settings;
  settings.push_back({"off", stepgate::Telemetry()});
  settings.push_back({"on, a record in every 10th step", stepgate::Telemetry({.folder = folder / "10", .every = 10})});
  settings.push_back({"on, a record in every step", stepgate::Telemetry({.folder = folder / "1", .every = 1})});
  std::vector<double> step_ns;
  train(*workload, settings.front().telemetry, told);  // allocators and kernels of the first steps
  for (int round = 0; round < rounds; ++round) {
    for (Setting& each : settings) {
      const StepCost cost = train(*workload, each.telemetry, told);
      step_ns.push_back(cost.step_ns);
      each.ns.push_back(cost.telemetry_ns);
      each.share.push_back(cost.telemetry_ns / cost.step_ns);
    }
  }
  print(settings, step_ns);
  settings.clear();  // writes what is left
  std::filesystem::remove_all(folder);
  return 0;
}
