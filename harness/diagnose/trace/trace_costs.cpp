#include "diagnose/trace/trace_costs.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "diagnose/trace/host_account.h"

namespace stepgate {
namespace {

constexpr std::size_t most_costs = 8;

/// Of one name.
struct NameCost {
  std::uint32_t name = 0;
  std::int64_t calls = 0;
  double ns = 0;
};

/// One for each name of the trace, in their order.
std::vector<NameCost> no_costs(const TraceEvents& trace) {
  std::vector<NameCost> costs(trace.names.size());
  for (std::uint32_t name = 0; name < costs.size(); ++name) costs[name].name = name;
  return costs;
}

std::vector<TraceCost> costliest_names(const TraceEvents& trace, std::vector<NameCost> costs) {
  std::erase_if(costs, [](const NameCost& cost) { return cost.calls == 0; });
  std::sort(costs.begin(), costs.end(), [&](const NameCost& a, const NameCost& b) {
    return a.ns != b.ns ? a.ns > b.ns : trace.names[a.name] < trace.names[b.name];
  });
  costs.resize(std::min(costs.size(), most_costs));
  std::vector<TraceCost> result;
  for (const NameCost& cost : costs) result.push_back({trace.names[cost.name], cost.calls, cost.ns, 0});
  return result;
}

/// Operators of the thread that begin within the cycles: outer before inner.
std::vector<std::uint32_t> nested_operators(const TraceEvents& trace, const TraceSteps& steps) {
  const std::uint16_t thread = training_thread(trace, steps);
  std::vector<std::uint32_t> calls;
  for (std::uint32_t index = 0; index < trace.events.size(); ++index) {
    const TraceEvent& event = trace.events[index];
    const bool own = event.category == TraceCategory::operator_call && event.place == thread;
    if (own && contains(steps.cycles, event.start_ns)) calls.push_back(index);
  }
  std::stable_sort(calls.begin(), calls.end(), [&](std::uint32_t first, std::uint32_t second) {
    const TraceEvent& a = trace.events[first];
    const TraceEvent& b = trace.events[second];
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.duration_ns > b.duration_ns;
  });
  return calls;
}

}  // namespace

std::vector<TraceCost> device_costs(const TraceEvents& trace, std::uint16_t device, const TraceSteps& steps) {
  std::vector<NameCost> costs = no_costs(trace);
  for (const TraceEvent& event : trace.events) {
    const bool own = is_on_device(event.category) && event.place == device;
    if (!own || !contains(steps.cycles, event.start_ns)) continue;
    ++costs[event.name].calls;
    costs[event.name].ns += static_cast<double>(event.duration_ns);
  }
  return costliest_names(trace, std::move(costs));
}

std::vector<TraceCost> operator_costs(const TraceEvents& trace, const TraceSteps& steps) {
  std::vector<NameCost> costs = no_costs(trace);
  std::vector<const TraceEvent*> open;
  for (const std::uint32_t index : nested_operators(trace, steps)) {
    const TraceEvent& call = trace.events[index];
    while (!open.empty() && open.back()->end_ns() <= call.start_ns) open.pop_back();
    ++costs[call.name].calls;
    costs[call.name].ns += static_cast<double>(call.duration_ns);
    if (!open.empty()) costs[open.back()->name].ns -= static_cast<double>(call.duration_ns);
    open.push_back(&call);
  }
  return costliest_names(trace, std::move(costs));
}

}  // namespace stepgate
