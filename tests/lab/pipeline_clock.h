// Runs the steps of a scripted pipeline in virtual time.
#pragma once

#include <array>
#include <deque>
#include <functional>

#include "core/boundary.h"
#include "lab/scripted_pipeline.h"

namespace stepgate::lab {

/// What one step did to the clocks.
struct RunSteps {
  double wall_ns = 0;
  std::array<double, boundary_count> host_ns{};  ///< by boundary
  double device_ns = 0;                          ///< in which the device worked
};

class PipelineClock {
 public:
  /// `noise` gives the factor on the costs of the next step.
  PipelineClock(const ScriptedPipeline& pipeline, std::function<double()> noise)
      : pipeline_(pipeline), noise_(std::move(noise)) {}

  /// Runs `steps`, then waits for the device.
  RunSteps run(int steps);

 private:
  double load(double factor);
  void compute(double factor, RunSteps& ran);
  void spend(Boundary boundary, double factor) { host_ns_ += pipeline_.fixed_in(boundary) * factor; }
  void end(Boundary boundary, RunSteps& ran);
  void queue_work(double host_ns, double device_ns, bool sync, RunSteps& ran);

  const ScriptedPipeline& pipeline_;
  std::function<double()> noise_;
  double host_ns_ = 0;
  double boundary_begin_ns_ = 0;
  double device_ns_ = 0;  ///< when its queue will be empty
  double loader_ns_ = 0;  ///< when the worker is free
  std::deque<double> taken_;
};

}  // namespace stepgate::lab
