// The project's training program: the same train() as in the perftest, timed in production.
#include <stepgate/step_timer.h>

#include <cstdio>

#include "train.h"

int main() {
  stepgate::StepTimer timer({.steps = 200});
  train(timer, {.epochs = 100, .show_every = 100});
  const stepgate::StepSummary summary = timer.summary();
  for (const stepgate::Boundary boundary : stepgate::all_boundaries) {
    if (const auto& times = summary.of(boundary)) {
      std::printf("%-10s median %8.1f us, p90 %8.1f us\n", name_of(boundary).data(), times->median_ns / 1e3,
                  times->p90_ns / 1e3);
    }
  }
  std::printf("%lld steps, %.1f %% of the time waiting for data, %.0f samples/s\n",
              static_cast<long long>(timer.completed()), 100 * summary.data_wait_share.value_or(0),
              summary.throughput.samples_per_s.value_or(0));
}
