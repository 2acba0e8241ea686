// How much a training job gets done per second: samples, tokens, FLOPs.
//
//   stepgate::ThroughputMeter meter({.window = 50, .flops_per_step = 6 * parameters * tokens_per_step});
//   while (...) {
//     ...
//     meter.step({.samples = 64, .padded_tokens = 64 * 128, .effective_tokens = count});
//     if (step % 50 == 0) std::cout << *meter.recent().effective_tokens_per_s << "\n";
//   }
//
// Host times: on a GPU a step may still run when step() is called, which evens out over a window and over nothing less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "stepgate/host_clock.h"
#include "stepgate/step_marks.h"

namespace stepgate {

/// What a step costs and what the device can do, for FLOP/s. Both are yours to give: nothing is estimated.
struct ModelFlops {
  std::optional<double> per_step = std::nullopt;    ///< model FLOPs, forward and backward, without recomputation
  std::optional<double> peak_per_s = std::nullopt;  ///< of the device, for the dtype that is used
};

/// Absent: nothing was counted of it, no time has passed, or it needs figures that were not given. Never 0 instead.
struct Throughput {
  std::int64_t steps = 0;
  double seconds = 0;
  std::optional<double> samples_per_s = std::nullopt;
  std::optional<double> padded_tokens_per_s = std::nullopt;
  std::optional<double> effective_tokens_per_s = std::nullopt;
  std::optional<double> tflops_per_s = std::nullopt;  ///< 1e12 model FLOPs per second
  std::optional<double> mfu = std::nullopt;           ///< share of the device's peak (model FLOPs utilisation)
};

/// Work of `steps` steps that took `elapsed_ns` together.
struct WorkDone {
  std::int64_t steps = 0;
  std::int64_t elapsed_ns = 0;
  StepWork work = {};
};
Throughput throughput_of(const WorkDone& done, const ModelFlops& flops = {});

/// Throws std::invalid_argument for FLOPs that were given and are not positive.
void require_positive_if_given(const ModelFlops& flops);

struct ThroughputOptions {
  std::size_t window = 100;  ///< steps that recent() looks back over; at least 1
  ModelFlops flops = {};
  HostClock clock = steady_clock_ns;
};

/// One thread. Memory is taken at construction; step() reads the clock once and does no more than add.
class ThroughputMeter {
 public:
  /// The first step begins now. Throws std::invalid_argument for an empty window, and for FLOPs that are not positive.
  explicit ThroughputMeter(const ThroughputOptions& options = {});

  /// A step with `work` is over.
  void step(const StepWork& work) {
    Totals totals = newest();
    totals.end_ns = options_.clock() - left_out_ns_;
    totals.work += work;
    at_ = after(at_);
    ring_[at_] = totals;
    ++steps_;
  }

  /// The time since the last step was no training (an evaluation, a checkpoint): it does not count.
  void leave_out() { left_out_ns_ = options_.clock() - newest().end_ns; }

  Throughput overall() const;
  /// Over the last `window` steps, or as many as there were.
  Throughput recent() const;

 private:
  /// Sums from the beginning to the end of a step.
  struct Totals {
    std::int64_t end_ns = 0;  ///< on the clock less what was left out
    StepWork work = {};
  };
  const Totals& newest() const { return ring_[at_]; }
  std::size_t after(std::size_t place) const { return place + 1 == ring_.size() ? 0 : place + 1; }
  Throughput since(const Totals& begin, std::int64_t steps) const;

  ThroughputOptions options_;
  Totals begin_;
  std::vector<Totals> ring_;  ///< window + 1 of them: a window needs where it began
  std::size_t at_ = 0;        ///< the newest
  std::int64_t steps_ = 0;
  std::int64_t left_out_ns_ = 0;
};

}  // namespace stepgate
