#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/both_sides.h"
#include "diagnose/questions.h"
#include "diagnose/work/device_call_change.h"
#include "diagnose/work/work_location.h"

namespace stepgate {
namespace {

constexpr const char* allocations_metric = "device_allocations_per_step";

bool pins_memory(const DeviceCallChange& change) {
  constexpr std::array<std::string_view, 3> calls = {"cudaHostAlloc", "cudaMallocHost", "cudaHostRegister"};
  return std::find(calls.begin(), calls.end(), change.call) != calls.end();
}

/// The calls that rose in a boundary; empty where one of them pins nothing.
std::vector<DeviceCallChange> pinning_calls(const JudgedComparison& input, const std::string& boundary) {
  std::vector<DeviceCallChange> changes = device_call_changes(input, allocations_metric, boundary);
  std::erase_if(changes, [](const DeviceCallChange& change) { return change.change <= 0; });
  const bool all = std::all_of(changes.begin(), changes.end(), pins_memory);
  return all ? changes : std::vector<DeviceCallChange>{};
}

}  // namespace

std::vector<Finding> explain_pinning_calls(const JudgedComparison& input) {
  // What the memory pass counted says more, and has the same code (memory/allocator_health.cpp).
  if (!is_red(input, allocations_metric) || is_red(input, "pinned_allocations_per_step")) return {};
  auto shares = changed_shares(input, allocations_metric);
  std::erase_if(shares, [](const BoundaryShare& share) { return share.change <= 0; });
  if (shares.empty()) return {};
  const auto spread = step_spread(input, allocations_metric);
  const WholeAmounts amounts = amounts_of(shares, MetricUnit::count, spread);
  std::string where;
  for (const BoundaryShare& share : shares) {
    const std::vector<DeviceCallChange> calls = pinning_calls(input, share.boundary);
    if (calls.empty()) return {};
    where +=
        fmt::format("{}{} {}", where.empty() ? "" : "; ", share.boundary, device_calls_text(calls, amounts.factor));
  }
  return {
      {.code = FindingCode::pinned_in_step,
       .severity = Severity::cause,
       .message = fmt::format("the driver pins new host memory: {}{}{}", where, amounts.per, affected_steps(spread)),
       .advice = "pinning takes as long as many copies, and LibTorch keeps pinned blocks by size: take blocks of the "
                 "largest batch, keep pinned buffers, or hold fewer batches at once.",
       .metric = allocations_metric,
       .boundary = shares.front().boundary}};
}

}  // namespace stepgate
