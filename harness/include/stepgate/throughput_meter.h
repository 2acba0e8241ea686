// The throughput of a training job: samples, tokens and FLOPs per second.
//
//   stepgate::ThroughputMeter meter({.window = 50, .flops = {.per_step = 6.0 * parameters * tokens_per_step}});
//   while (train_one_step()) {
//     meter.step({.samples = 64, .padded_tokens = 64 * 128, .effective_tokens = count});
//     if (const auto rate = meter.recent().effective_tokens_per_s) std::cout << *rate << "\n";
//   }
//
// Times are host times: on a GPU a step may still run when step() is called. This evens out over a whole window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "stepgate/host_clock.h"
#include "stepgate/step_marks.h"

namespace stepgate {

/// The FLOPs of a step and the peak of the device. You supply both: stepgate estimates nothing.
struct ModelFlops {
  std::optional<double> per_step = std::nullopt;    ///< model FLOPs, forward and backward, without recomputation
  std::optional<double> peak_per_s = std::nullopt;  ///< peak of the device, for the dtype in use
};

/// A field is absent, never 0, if nothing was counted, no time has passed, or a needed figure was not given.
struct Throughput {
  std::int64_t steps = 0;
  double seconds = 0;
  std::optional<double> samples_per_s = std::nullopt;
  std::optional<double> padded_tokens_per_s = std::nullopt;
  std::optional<double> effective_tokens_per_s = std::nullopt;
  std::optional<double> tflops_per_s = std::nullopt;  ///< 1e12 model FLOPs per second
  std::optional<double> mfu = std::nullopt;           ///< share of the device's peak (model FLOPs utilisation)
};

/// The work of `steps` steps, which took `elapsed_ns` in total.
struct WorkDone {
  std::int64_t steps = 0;
  std::int64_t elapsed_ns = 0;
  StepWork work = {};
};
Throughput throughput_of(const WorkDone& done, const ModelFlops& flops = {});

/// Throws std::invalid_argument for given FLOPs that are not positive.
void require_positive_if_given(const ModelFlops& flops);

struct ThroughputOptions {
  std::size_t window = 100;  ///< steps that recent() looks back over; at least 1
  ModelFlops flops = {};
  HostClock clock = steady_clock_ns;
};

/// For one thread. Allocates at construction; step() reads the clock once and adds.
class ThroughputMeter {
 public:
  /// The first step begins now. Throws std::invalid_argument for an empty window, and for FLOPs that are not positive.
  explicit ThroughputMeter(const ThroughputOptions& options = {});

  /// Ends a step that did `work`.
  void step(const StepWork& work) {
    Totals totals = newest();
    totals.end_ns = options_.clock() - left_out_ns_;
    totals.work += work;
    at_ = after(at_);
    ring_[at_] = totals;
    ++steps_;
  }

  /// Excludes the time since the last step, because it was not training (an evaluation, a checkpoint).
  void leave_out() { left_out_ns_ = options_.clock() - newest().end_ns; }

  Throughput overall() const;
  /// Over the last `window` steps, or as many as there were.
  Throughput recent() const;

 private:
  /// Sums from the beginning to the end of a step.
  struct Totals {
    std::int64_t end_ns = 0;  ///< on the clock, minus the excluded time
    StepWork work = {};
  };
  const Totals& newest() const { return ring_[at_]; }
  std::size_t after(std::size_t place) const { return place + 1 == ring_.size() ? 0 : place + 1; }
  Throughput since(const Totals& begin, std::int64_t steps) const;

  ThroughputOptions options_;
  Totals begin_;
  std::vector<Totals> ring_;  ///< window + 1 entries: a window needs its begin too
  std::size_t at_ = 0;        ///< the newest
  std::int64_t steps_ = 0;
  std::int64_t left_out_ns_ = 0;
};

}  // namespace stepgate
