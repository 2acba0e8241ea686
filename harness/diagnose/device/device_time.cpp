#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr std::string_view device_time = "device_time_ns";

/// What the device does in a step, by number.
constexpr std::array<std::string_view, 5> device_counts = {
    "own_kernels_per_step", "library_calls_per_step", "kernels_per_step", "memsets_per_step", "h2d_copies_per_step"};

/// As the finding about copies has it (time/input_path.cpp): what ran side by side counts once, and twice when it no
/// longer does.
constexpr double lost_overlap = 0.2;

bool overlap_is_lost(const JudgedComparison& input) {
  const auto overlap = timed_pair(input, "h2d_overlap_ratio");
  return overlap && overlap->before - overlap->now >= lost_overlap;
}

bool was_judged(const MetricVerdict* verdict) {
  return verdict != nullptr && (verdict->status == Status::pass || verdict->status == Status::improved);
}

/// "; the step +0.1 ms": a host that takes longer than the device hides it.
std::string step_change_text(const JudgedComparison& input) {
  const auto step = timed_pair(input, leading_time(input));
  return step ? fmt::format("; the step {}", difference_text(MetricUnit::ns, step->difference())) : "";
}

}  // namespace

std::vector<Finding> explain_device_time(const JudgedComparison& input) {
  const auto time = timed_pair(input, std::string(device_time));
  if (!is_red(input, device_time) || !time) return {};
  const std::string longer =
      fmt::format("the device works {} longer in a step", difference_text(MetricUnit::ns, time->difference()));
  const auto red = [&](std::string_view count) { return is_red(input, count); };
  if (std::ranges::any_of(device_counts, red)) {
    return {{FindingCode::device_slower, Severity::note, longer + ", where it has more to do" + step_change_text(input),
             "", std::string(device_time)}};
  }
  if (overlap_is_lost(input)) {
    return {{FindingCode::device_slower, Severity::note,
             longer + ", since copies no longer run beside compute" + step_change_text(input), "",
             std::string(device_time)}};
  }
  const bool as_many =
      was_judged(verdict_on(input, "own_kernels_per_step")) && was_judged(verdict_on(input, "library_calls_per_step"));
  return {{FindingCode::device_slower, Severity::cause,
           longer + (as_many ? ", by no more kernels and library calls than before" : "") + step_change_text(input),
           "another dtype, layout or size, a kernel that got slower, or another algorithm of a library. stepgate "
           "profile lists what the device takes by operator and line.",
           std::string(device_time)}};
}

}  // namespace stepgate
