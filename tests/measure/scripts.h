// Scripted steps that several tests use. Time is virtual, so every expectation is exact to the nanosecond.
#pragma once

#include <string>
#include <vector>

#include "measure/passes/timed_passes.h"
#include "measure/step/scripted_step.h"

namespace stepgate::test {

/// A step whose owner draws batches and logs by itself, as a user's loop does.
class StepWithoutAbilities final : public ScriptedStep {
 public:
  using ScriptedStep::ScriptedStep;
  StepAbilities abilities() override { return {}; }
};

/// Writes the marks of the log into a list.
class MarkedBackend final : public FakeBackend {
 public:
  /// `marks` outlives this.
  explicit MarkedBackend(std::vector<std::string>& marks) : marks_(marks) {}
  void mark_log(const std::string& text) override { marks_.push_back(text); }

 private:
  std::vector<std::string>& marks_;
};

/// A GPU-like step: the host needs 28 ns to queue it, the compute stream 350 ns to run it, the copy stream 20 ns.
inline ScriptedStepPlan queued_step() {
  ScriptedStepPlan plan;
  plan.at(Boundary::data_wait) = {.host_ns = 10};
  plan.at(Boundary::h2d) = {.host_ns = 2, .device_ns = 20};
  plan.at(Boundary::forward) = {.host_ns = 5, .device_ns = 100};
  plan.at(Boundary::backward) = {.host_ns = 5, .device_ns = 200};
  plan.at(Boundary::optimizer) = {.host_ns = 5, .device_ns = 50};
  plan.at(Boundary::logging) = {.host_ns = 1};
  plan.batch = {
      .samples = 4, .padded_tokens = 64, .effective_tokens = 48, .h2d_bytes = 256, .h2d_copies = 2, .shape = 7};
  return plan;
}

/// A CPU-like step that takes `ns` in total, all of it in forward.
inline ScriptedStepPlan host_step(std::int64_t ns) {
  ScriptedStepPlan plan;
  plan.at(Boundary::forward) = {.host_ns = ns};
  plan.batch = {.samples = 4, .shape = 7};
  return plan;
}

inline constexpr FakeDevice like_cpu = {
    .events = false, .caching_allocator = false, .simulated_h2d = true, .minor_faults = true};

inline std::int64_t at(const BoundaryTimes& times, Boundary boundary) {
  return times[static_cast<std::size_t>(boundary)];
}

}  // namespace stepgate::test
