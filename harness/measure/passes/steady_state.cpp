#include "measure/passes/steady_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/number_format.h"
#include "stats/mann_kendall.h"
#include "stats/slope.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr double floor_tolerance = 0.02;  // docs/design/measurement.md, "Steady state": medians within 2 %
constexpr double warmup_errors = 2;       // asked again after each window, so a chance miss costs one window only
constexpr std::int64_t least_steps = 5;   // docs/design/measurement.md, "Steady state": 5 steps, and memory flat for 5
constexpr double mann_kendall_critical = 1.96;  // two-sided 5 %
// A warm heap has no page faults; up to one page per step comes from a log or statistic that grows slowly.
constexpr double small_faults_per_step = 1;
// With glibc's defaults some 250 pages fault in at every step for ever (docs/design/measurement.md, "The C allocator"):
// steady, as long as the rate is.
constexpr double flat_fault_rate = 0.2;

template <typename Get>
bool varies(std::span<const Pace> paces, Get get) {
  return std::any_of(paces.begin(), paces.end(), [&](const Pace& pace) { return get(pace) != get(paces.front()); });
}

template <typename Get>
bool positive(std::span<const Pace> paces, Get get) {
  return std::all_of(paces.begin(), paces.end(), [&](const Pace& pace) { return get(pace) > 0; });
}

template <typename Get>
PerWork divided(std::span<const Pace> paces, std::string_view unit, Get get) {
  PerWork result{{}, unit};
  result.ns.reserve(paces.size());
  for (const Pace& pace : paces) result.ns.push_back(static_cast<double>(pace.ns) / static_cast<double>(get(pace)));
  return result;
}

/// The last mark that lies at least `least_steps` before `step`.
const MemoryMark* mark_before(std::span<const MemoryMark> marks, std::int64_t step) {
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
    if (mark->step <= step - least_steps) return &*mark;
  }
  return nullptr;
}

using Reason = std::optional<std::string>;

Reason too_short(const WarmupHistory& history) {
  const auto steps = static_cast<std::int64_t>(history.paces.size());
  const std::int64_t least_ns = least_wall_ns(history.device_events);
  if (steps >= least_steps && history.wall_ns >= least_ns) return std::nullopt;
  return fmt::format("warm-up ran for {} steps and {}; at least {} steps and {} are needed", steps,
                     duration_text(static_cast<double>(history.wall_ns)), least_steps,
                     duration_text(static_cast<double>(least_ns)));
}

Reason shapes_still_new(const WarmupHistory& history) {
  if (history.steps_since_new_shape >= history.window) return std::nullopt;
  return fmt::format(
      "a new input shape came {} steps before the end of warm-up ({} shapes in {} steps); {} steps "
      "without one are needed",
      history.steps_since_new_shape, history.shapes, history.steps() + 1, history.window);
}

Reason update_skipped(const WarmupHistory& history) {
  const auto since = history.steps_since_skipped_update;
  if (!since || *since >= history.window) return std::nullopt;
  return fmt::format(
      "the loss scaler skipped an update in the window that ended {} steps before the end of warm-up; {} steps "
      "without one are needed",
      *since, history.window);
}

Reason device_memory_grows(const MemoryMark& earlier, const MemoryMark& now) {
  if (earlier.device_mallocs == now.device_mallocs && earlier.reserved_bytes == now.reserved_bytes) return std::nullopt;
  return fmt::format(
      "the device allocator was still changing: {} driver allocations and {} reserved at step {}, {} and "
      "{} at step {}",
      earlier.device_mallocs.value_or(0), bytes_text(static_cast<double>(earlier.reserved_bytes.value_or(0))),
      earlier.step, now.device_mallocs.value_or(0), bytes_text(static_cast<double>(now.reserved_bytes.value_or(0))),
      now.step);
}

double fault_rate(const MemoryMark& from, const MemoryMark& to) {
  return static_cast<double>(to.minor_faults.value_or(0) - from.minor_faults.value_or(0)) /
         static_cast<double>(to.step - from.step);
}

Reason faults_change(std::span<const MemoryMark> marks, const MemoryMark& earlier) {
  const MemoryMark& now = marks.back();
  const double rate = fault_rate(earlier, now);
  if (rate <= small_faults_per_step) return std::nullopt;
  const MemoryMark* first = mark_before(marks, earlier.step);
  if (first == nullptr) {
    return fmt::format("{:.1f} minor page faults a step up to step {}, and nothing to compare them with", rate,
                       now.step);
  }
  const double before = fault_rate(*first, earlier);
  if (std::abs(rate - before) <= flat_fault_rate * before) return std::nullopt;
  return fmt::format("minor page faults a step were not flat: {:.1f} up to step {}, {:.1f} up to step {}", before,
                     earlier.step, rate, now.step);
}

Reason memory_moves(const WarmupHistory& history) {
  if (history.memory.empty()) return std::nullopt;
  const MemoryMark& now = history.memory.back();
  const bool device = now.device_mallocs || now.reserved_bytes;
  if (!device && !now.minor_faults) return std::nullopt;
  const MemoryMark* earlier = mark_before(history.memory, now.step);
  if (earlier == nullptr) return fmt::format("memory was watched for fewer than {} steps", least_steps);
  return device ? device_memory_grows(*earlier, now) : faults_change(history.memory, *earlier);
}

Reason level_moves(const WarmupHistory& history) {
  const auto block = static_cast<std::size_t>(std::max(history.window, least_steps));
  if (history.paces.size() < 2 * block) {
    return fmt::format("{} steps are too few to compare two blocks of {}", history.paces.size(), block);
  }
  const PerWork recent = per_work(std::span(history.paces).last(2 * block));
  const std::span<const double> values = recent.ns;
  const Level earlier = level_of(values.first(block));
  const Level later = level_of(values.last(block));
  const Agreement levels = agreement(earlier, later, warmup_errors);
  if (!levels.holds()) {
    return fmt::format("the last two blocks of {} steps took {} and {} per {} ({}, tolerance {})", block,
                       duration_text(earlier.median), duration_text(later.median), recent.unit,
                       change_text(levels.change), share_text(levels.tolerance));
  }
  const std::optional<double> slope = trend(values);
  if (!slope || std::abs(*slope) <= floor_tolerance) return std::nullopt;
  return fmt::format("step times had a trend: {} over the last {} steps (median {} per {})", change_text(*slope),
                     2 * block, duration_text(later.median), recent.unit);
}

}  // namespace

PerWork per_work(std::span<const Pace> paces) {
  const auto tokens = [](const Pace& pace) { return pace.padded_tokens; };
  const auto samples = [](const Pace& pace) { return pace.samples; };
  if (varies(paces, tokens) && positive(paces, tokens)) return divided(paces, "padded token", tokens);
  if (varies(paces, samples) && positive(paces, samples)) return divided(paces, "sample", samples);
  return divided(paces, "step", [](const Pace&) { return std::int64_t{1}; });
}

Level level_of(std::span<const double> values) {
  if (values.empty()) return {};
  // 1.2533 = sqrt(pi / 2): a median of normal values scatters that much more than their mean.
  return {median(values), 1.2533 * robust_standard_deviation(values) / std::sqrt(static_cast<double>(values.size()))};
}

Agreement agreement(const Level& earlier, const Level& later, double errors) {
  // A level of zero (a virtual clock that stood still) agrees with zero only.
  if (earlier.median <= 0) return {later.median > 0 ? 1.0 : 0.0, floor_tolerance};
  const double error = std::hypot(earlier.standard_error, later.standard_error) / earlier.median;
  return {later.median / earlier.median - 1, std::max(floor_tolerance, errors * error)};
}

std::optional<double> trend(std::span<const double> values) {
  if (values.size() < 4) return std::nullopt;  // no order of three values is rare enough
  if (std::abs(mann_kendall_z(values)) <= mann_kendall_critical) return std::nullopt;
  const double level = median(values);
  if (level <= 0) return std::nullopt;
  return theil_sen_slope(values) * static_cast<double>(values.size() - 1) / level;
}

std::int64_t least_wall_ns(bool device_events) { return device_events ? 1'000'000'000 : 200'000'000; }

std::vector<std::string> unsteady_reasons(const WarmupHistory& history) {
  std::vector<std::string> reasons;
  for (const auto criterion : {too_short, shapes_still_new, update_skipped, memory_moves, level_moves}) {
    if (Reason reason = criterion(history)) reasons.push_back(std::move(*reason));
  }
  return reasons;
}

}  // namespace stepgate
