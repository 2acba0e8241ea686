// StepMarks for production: the host time of each boundary of the loop.
//
//   stepgate::StepTimer timer({.steps = 1000});
//   train(timer, model);                                  // the loop of step_marks.h
//   const stepgate::StepSummary summary = timer.summary();
//
// A mark is one read of the clock and a few additions: no allocation, lock, system call or synchronisation. On a GPU
// these are enqueue times; the perftest of the same loop measures the device time of each boundary.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepgate/boundary.h"
#include "stepgate/host_clock.h"
#include "stepgate/step_marks.h"
#include "stepgate/throughput_meter.h"

namespace stepgate {

struct TimeSpread {
  double median_ns = 0;  ///< mean of the middle two if their number is even
  double p90_ns = 0;     ///< nearest rank: the smallest time that 90 % of the steps do not exceed
};

/// A boundary that the loop named itself.
struct OwnBoundarySpread {
  std::string name;
  TimeSpread times;
};

/// A summary of the kept steps, which are the last ones.
struct StepSummary {
  std::int64_t steps = 0;                                            ///< in this summary; with 0 all fields are absent
  std::optional<TimeSpread> step;                                    ///< from next_step() to next_step()
  std::array<std::optional<TimeSpread>, boundary_count> boundaries;  ///< by Boundary; absent if never marked
  std::vector<OwnBoundarySpread> own;                                ///< StepMarks::boundary(), in order of first use
  std::optional<double> data_wait_share;                             ///< time spent waiting for data / total time
  Throughput throughput;

  const std::optional<TimeSpread>& of(Boundary boundary) const {
    return boundaries[static_cast<std::size_t>(boundary)];
  }
  /// The spread of the boundary with this name; absent if it was never marked.
  std::optional<TimeSpread> of(std::string_view name) const;
};

struct StepTimerOptions {
  std::int64_t steps = 0;   ///< next_step() returns false after this number; 0: never
  std::size_t kept = 1024;  ///< steps in the summary, at least 1; allocated at construction
  ModelFlops flops = {};
  HostClock clock = steady_clock_ns;
};

/// For one thread. No mark throws, except boundary() for a name that cannot be one; repeated marks of a step, as with
/// accumulated gradients, add up.
class StepTimer final : public StepMarks {
 public:
  /// Throws std::invalid_argument for a negative number of steps, and for `kept` 0.
  explicit StepTimer(const StepTimerOptions& options = {});

  bool next_step() override;
  bool done() const override { return options_.steps != 0 && completed_ >= options_.steps; }
  void loaded(const StepWork& work) override {
    end(Boundary::data_wait);
    open_.work += work;
  }
  void copied(TensorView /*on_device*/ = {}) override { end(Boundary::h2d); }
  void forward_done(const at::Tensor& /*loss*/) override { end(Boundary::forward); }
  void backward_done() override { end(Boundary::backward); }
  void optimizer_done() override { end(Boundary::optimizer); }
  /// Throws std::invalid_argument for a name that the gate would refuse, and for the ninth name.
  void boundary(std::string_view name) override { end(own_boundary(number_of(name))); }
  void boundary(std::string_view name, const at::Tensor& /*loss*/) override { boundary(name); }
  /// The excluded time is in no boundary, in no step and in no rate.
  void leave_out() override {
    const std::int64_t now_ns = options_.clock();
    begin_ns_ += now_ns - last_ns_;
    last_ns_ = now_ns;
  }

  /// Completed steps.
  std::int64_t completed() const { return completed_; }

  /// The summary of the kept complete steps. It allocates, so do not call it in every step.
  StepSummary summary() const;

 private:
  struct Trace {
    std::array<std::int64_t, boundary_slots> spent_ns{};
    std::int64_t wall_ns = 0;
    StepWork work = {};
    unsigned marked = 0;  ///< a bit per boundary
  };

  /// A name in place, so that a mark allocates nothing.
  struct OwnName {
    std::array<char, max_boundary_name> text{};
    std::size_t size = 0;
    std::string_view view() const { return {text.data(), size}; }
  };

  std::size_t kept() const;
  std::size_t number_of(std::string_view name);
  std::optional<TimeSpread> spread_at(Boundary boundary) const;

  void end(Boundary boundary) {
    const std::int64_t now_ns = options_.clock();
    const auto index = static_cast<std::size_t>(boundary);
    open_.spent_ns[index] += now_ns - last_ns_;
    open_.marked |= 1U << index;
    last_ns_ = now_ns;
  }

  StepTimerOptions options_;
  std::vector<Trace> ring_;    ///< step n is at n modulo its size
  Trace open_;                 ///< the current step
  std::int64_t begin_ns_ = 0;  ///< begin of the current step
  std::int64_t last_ns_ = 0;   ///< the last mark
  std::array<OwnName, max_own_boundaries> own_names_;
  std::size_t own_count_ = 0;
  std::int64_t completed_ = 0;
  bool begun_ = false;  ///< next_step() was called
};

}  // namespace stepgate
