#include "judge/libraries/library_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/launch_name.h"
#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

/// What fits on a line.
constexpr std::size_t named_shapes = 2;

using LibraryCalls = std::map<std::string, std::int64_t>;
using ByMetric = std::map<std::string, std::map<std::string, LibraryCalls>>;

/// Over all boundaries: a call that moved asks for the same.
LibraryCalls library_calls_of(const ByMetric& device_calls) {
  LibraryCalls all;
  const auto boundaries = device_calls.find(std::string(library_calls_metric));
  if (boundaries == device_calls.end()) return all;
  for (const auto& [boundary, calls] : boundaries->second) {
    for (const auto& [call, number] : calls) all[call] += number;
  }
  return all;
}

template <typename Sequences>
bool knows_library_calls(const Sequences& sequences) {
  return sequences.contains(std::string(library_calls_metric));
}

std::vector<std::string> shape_changes(const LibraryCalls& before, const LibraryCalls& now) {
  LibraryCalls difference = now;
  for (const auto& [call, number] : before) difference[call] -= number;
  std::vector<std::string> changes;
  for (const auto& [call, number] : difference) {
    if (number != 0) changes.push_back(fmt::format("{:+} {}", number, call));
  }
  return changes;
}

bool is_about_values(const MetricVerdict& verdict) {
  return verdict.status == Status::pass || verdict.status == Status::improved || verdict.status == Status::regressed;
}

}  // namespace

void require_equal_library_shapes(const WorkCounts& current, const Baseline& baseline, MetricVerdict& verdict) {
  if (!is_about_values(verdict)) return;
  if (!knows_library_calls(current.per_step) || !knows_library_calls(baseline.exact)) return;
  const auto changes = shape_changes(library_calls_of(baseline.device_calls), library_calls_of(current.device_calls));
  if (changes.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), named_shapes); ++i) text += (i == 0 ? "" : ", ") + changes[i];
  if (changes.size() > named_shapes) text += fmt::format(" (and {} more)", changes.size() - named_shapes);
  settle(
      verdict, Status::not_judged, ReasonCode::library_shapes_differ,
      fmt::format("{}; the library calls differ over the counted steps: {}. Kernels of libraries follow from shapes, "
                  "so own kernels and library calls are judged, and their sum is not",
                  verdict.detail, text));
}

}  // namespace stepgate
