#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/copy_overlap.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr std::string_view device_time = "device_time_ns";

/// What the device is given to do in a step. Where one of them is red, it has more to do, and another finding says why.
constexpr auto device_work = std::to_array<std::string_view>(
    {"own_kernels_per_step", "library_calls_per_step", "kernels_per_step", "memsets_per_step", "memcpys_per_step",
     "h2d_copies_per_step", "h2d_bytes_per_step", "d2h_copies_per_step", "graph_launches_per_step",
     "graph_kernel_nodes", "graph_memcpy_nodes", "graph_memset_nodes", "flops_per_step", "bytes_touched_per_step"});

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
  if (std::ranges::any_of(device_work, red)) {
    return {{FindingCode::device_slower, Severity::note, longer + ", where it has more to do" + step_change_text(input),
             "", std::string(device_time)}};
  }
  if (lost_copy_overlap(input)) {  // what ran side by side counts once, and twice when it no longer does
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
