// A window: steps between two synchronisations, run as the user's loop would run them. Inside a window
// stepgate only reads the host clock and records events into reserved slots. It computes everything after the window.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/record/run_record.h"
#include "measure/passes/steady_state.h"
#include "measure/passes/timed_passes.h"

namespace stepgate {

/// The events of one step. copy_* are on the copy stream, the others on the compute stream. end_of() gives the event
/// that ends a boundary there.
enum class EventMark { step_begin, copy_begin, copy_end, first_end };
inline constexpr std::size_t events_per_step = static_cast<std::size_t>(EventMark::first_end) + boundary_slots;
inline constexpr std::size_t marks_beside_boundaries = static_cast<std::size_t>(EventMark::first_end);
constexpr EventMark end_of(Boundary boundary) {
  return static_cast<EventMark>(static_cast<std::size_t>(EventMark::first_end) + static_cast<std::size_t>(boundary));
}

/// What is kept of one step until the window ends: host marks and the size of its batch.
struct StepTrace {
  std::array<std::int64_t, boundary_slots + 1>
      marks_ns{};           ///< step begin, then the end of each boundary in their order
  std::int64_t end_ns = 0;  ///< after release(): the next step's begin
  BatchInfo batch;
  bool skipped_update = false;  ///< as StepSample
};

class StepWindow {
 public:
  /// Reserves storage and device events for windows of up to `capacity` steps, on `run`, which must outlive this.
  StepWindow(TimedRun& run, std::int64_t capacity);

  /// Synchronises, runs `steps` steps (at most the capacity), synchronises. Without `marked` it records no device
  /// events, and the samples of its steps have no device times.
  void run(std::int64_t steps, bool marked = true);

  /// Host time from the first step's begin until the device had finished the last step.
  std::int64_t wall_ns() const { return end_ns_ - begin_ns_; }

  /// The same per step of the last window.
  std::int64_t step_ns() const { return steps_ == 0 ? 0 : wall_ns() / static_cast<std::int64_t>(steps_); }

  /// Whether the user's loss scaler skipped an update since this was last asked, or since construction. It may read the
  /// device, so it is asked after a window; append_to() does.
  bool note_skipped_update();

  /// Appends one sample per step, and the window. Tags shapes that `run` had not seen, and adds them to it.
  void append_to(TimedPass& pass);

  /// Appends how long each step took: on the device from step end to step end, without events on the host clock.
  void append_paces(std::vector<Pace>& paces) const;

 private:
  std::int64_t run_step(std::size_t index, std::int64_t begin_ns);
  void record(std::size_t index, EventMark mark);
  StepSample sample(std::size_t index) const;
  void add_device_times(std::size_t index, StepSample& sample) const;
  std::int64_t overlap_ns(std::size_t index) const;

  TimedRun* run_;
  bool events_;  ///< the device has events, reserved for this
  bool marked_;  ///< the last window recorded them
  std::vector<StepTrace> traces_;
  std::optional<std::int64_t> skipped_updates_;  ///< when they were last asked for
  bool copy_ends_wait_ = true;                   ///< no boundary of the loop's own lies between data_wait and h2d
  Boundary last_compute_ = Boundary::optimizer;  ///< the last boundary before logging, where there is no optimizer
  std::size_t steps_ = 0;
  std::int64_t begin_ns_ = 0;
  std::int64_t queued_ns_ = 0;  ///< the last host mark before the window's synchronisation
  std::int64_t end_ns_ = 0;
};

/// What else happens at each window, where given, and never within one.
struct AroundWindow {
  std::function<void()> before = {};
  std::function<void()> after = {};  ///< at once
  std::function<void()> next = {};   ///< when its samples are kept
};

/// Runs `steps` steps in windows of `run.steps.window` steps; `steps` is a multiple of that. Shared by e2e and
/// synthetic.
TimedPass run_windows(TimedRun& run, std::int64_t steps, const AroundWindow& around = {});

/// Host times of one step from its marks, without device times. Shared by all timed passes.
StepSample host_sample(const StepTrace& trace, const StepBoundaries& boundaries);

/// Tags the sample as a cold shape where the run sees its shape for the first time, and returns whether that is so.
bool note_shape(TimedRun& run, StepSample& sample);

}  // namespace stepgate
