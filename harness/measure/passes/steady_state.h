// Decides when a training loop is steady. Pure functions over what warm-up saw; criteria of docs/design/measurement.md,
// "Steady state". SM clock is not among them: the launcher's evidence covers it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// How long one step took, and for how much work.
struct Pace {
  std::int64_t ns = 0;
  std::int64_t samples = 0;
  std::int64_t padded_tokens = 0;
};

/// Step times made comparable where batches differ: nanoseconds per padded token where token counts vary, per sample
/// where only sample counts vary, per step otherwise.
struct PerWork {
  std::vector<double> ns;
  std::string_view unit;  ///< "padded token", "sample" or "step"
};
PerWork per_work(std::span<const Pace> paces);

/// A median, and its standard error from the scatter of the values.
struct Level {
  double median = 0;
  /// 1.2533 * 1.4826 * MAD / sqrt(n): standard error of a median of n normal values, its sigma estimated from the
  /// median absolute deviation, so that single interrupted steps do not widen it.
  double standard_error = 0;
};
Level level_of(std::span<const double> values);

/// How two levels compare.
struct Agreement {
  double change = 0;     ///< relative, later over earlier
  double tolerance = 0;  ///< relative
  bool holds() const { return change <= tolerance && -change <= tolerance; }
};
/// Tolerance: 2 % (docs/design/measurement.md, "Steady state"), or `errors` standard errors of the difference where
/// these are more. On shared virtual machines single steps scatter by 10 % and more (docs/design/measurement.md,
/// "Steady state"), so medians of ten of them often miss each other by 2 % although nothing changes; a level can be
/// called different only where its scatter does not explain it.
Agreement agreement(const Level& earlier, const Level& later, double errors);

/// Total relative change over `values` by their Theil-Sen slope, where the Mann-Kendall test (two-sided 5 %, normal
/// approximation: Mann 1945, Kendall 1975) finds a trend; absent where it finds none.
std::optional<double> trend(std::span<const double> values);

/// Allocator state between two windows of warm-up.
struct MemoryMark {
  std::int64_t step = 0;  ///< steps done so far
  std::optional<std::int64_t> device_mallocs;
  std::optional<std::int64_t> reserved_bytes;
  std::optional<std::int64_t> minor_faults;
};

/// What warm-up saw after the cold first step.
struct WarmupHistory {
  std::int64_t window = 1;
  bool device_events = false;           ///< asynchronous device: needs 1 s of wall time, others 0.2 s
  std::vector<Pace> paces = {};         ///< paces of the windows without a skipped update
  std::vector<MemoryMark> memory = {};  ///< the first one before the first window, then one after each
  std::int64_t wall_ns = 0;             ///< time of the windows
  std::int64_t steps_since_new_shape = 0;
  std::int64_t shapes = 0;  ///< distinct ones
  /// Steps of windows in which the loss scaler skipped an update. Such steps are shorter, so `paces` has none of them.
  std::int64_t skipped_steps = 0;
  std::optional<std::int64_t> steps_since_skipped_update = std::nullopt;  ///< absent where none was skipped

  /// All steps of the windows.
  std::int64_t steps() const { return static_cast<std::int64_t>(paces.size()) + skipped_steps; }
};

/// Least wall time of warm-up: on a GPU 1 s (docs/design/measurement.md, "Steady state": 25 ms was 30 % off); a CPU has
/// neither lazy modules nor clocks to ramp, and 0.2 s covers allocator growth and caches.
std::int64_t least_wall_ns(bool device_events);

/// Why the loop is not steady: one sentence with numbers for each criterion that fails. Empty where the loop is steady.
std::vector<std::string> unsteady_reasons(const WarmupHistory& history);

}  // namespace stepgate
