// The project's training program: the same train() as in the perftest, timed in production.
#include <stepgate/step_timer.h>

#include <cstdio>
#include <string_view>

#include "train.h"

namespace {

void print(std::string_view boundary, const stepgate::TimeSpread& times) {
  std::printf("%-10.*s median %8.1f us, p90 %8.1f us\n", static_cast<int>(boundary.size()), boundary.data(),
              times.median_ns / 1e3, times.p90_ns / 1e3);
}

}  // namespace

int main() {
  stepgate::StepTimer timer({.steps = 200});
  train(timer, {.epochs = 100, .show_every = 100});
  const stepgate::StepSummary summary = timer.summary();
  for (const stepgate::Boundary boundary : stepgate::all_boundaries) {
    if (const auto& times = summary.of(boundary)) print(name_of(boundary), *times);
  }
  for (const auto& [name, times] : summary.own) print(name, times);  // those that train() names: marks.boundary("...")
  std::printf("%lld steps, %.1f %% of the time waiting for data, %.0f samples/s\n",
              static_cast<long long>(timer.completed()), 100 * summary.data_wait_share.value_or(0),
              summary.throughput.samples_per_s.value_or(0));
}
