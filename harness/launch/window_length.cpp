#include "launch/window_length.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.h"
#include "core/step_count_fields.h"

namespace stepgate {
namespace {

/// The copy trials (h2d) have a length of their own, and `warmup_cap` no effect on what is timed.
constexpr std::array lengthened_members = {&StepCounts::e2e,       &StepCounts::window, &StepCounts::phase,
                                           &StepCounts::synthetic, &StepCounts::loader, &StepCounts::logging};

bool is_lengthened(const StepCountField& field) {
  return std::find(lengthened_members.begin(), lengthened_members.end(), field.member) != lengthened_members.end();
}

NamedSteps default_steps_times(std::int64_t factor) {
  constexpr StepCounts defaults;
  NamedSteps steps;
  for (const StepCountField& field : step_count_fields) {
    if (is_lengthened(field)) steps[std::string(field.name)] = factor * defaults.*field.member;
  }
  return steps;
}

bool has_default_counts(const StepCounts& steps) {
  constexpr StepCounts defaults;
  return std::all_of(lengthened_members.begin(), lengthened_members.end(),
                     [&](auto member) { return steps.*member == defaults.*member; });
}

/// The median over its windows without cold shapes. 0: there are none.
std::int64_t step_time_ns(const TimedPass& pass) {
  std::vector<std::int64_t> times;
  for (const Window& window : pass.windows) {
    if (!window.left_out() && window.steps > 0) times.push_back(window.wall_ns / window.steps);
  }
  if (times.empty()) return 0;
  const auto middle = times.begin() + std::ssize(times) / 2;
  std::nth_element(times.begin(), middle, times.end());
  return std::max<std::int64_t>(1, *middle);
}

}  // namespace

std::optional<NamedSteps> lengthened_steps(const RunRecord& first) {
  const auto e2e = first.timed.find(std::string(name_of(Pass::e2e)));
  if (e2e == first.timed.end() || !e2e->second.clock.ends_with("steady_clock")) return std::nullopt;
  const std::int64_t step_ns = step_time_ns(e2e->second);
  if (step_ns == 0 || !has_default_counts(first.steps)) return std::nullopt;
  std::int64_t factor = 1;
  while (factor < most_lengthening && factor * first.steps.window * step_ns < least_window_ns) factor *= 2;
  if (factor == 1) return std::nullopt;
  return default_steps_times(factor);
}

NamedSteps steps_of_baseline(std::string_view timed_steps) {
  try {
    const NamedSteps stored = read_step_counts(timed_steps, "timed_steps");
    for (std::int64_t factor = 2; factor <= most_lengthening; factor *= 2) {
      const NamedSteps wanted = default_steps_times(factor);
      const bool same = std::all_of(wanted.begin(), wanted.end(), [&](const auto& entry) {
        const auto at = stored.find(entry.first);
        return at != stored.end() && at->second == entry.second;
      });
      if (same) return wanted;
    }
  } catch (const Error&) {  // written by a version with other passes: the comparison says what differs
  }
  return {};
}

}  // namespace stepgate
