#include "diagnose/trace/trace_costs.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "diagnose/trace/host_account.h"

namespace stepgate {
namespace {

constexpr std::size_t most_costs = 8;

/// Costs by the index of the name.
using CostsByName = std::unordered_map<std::uint32_t, TraceCost>;

std::vector<TraceCost> costliest(const TraceEvents& trace, CostsByName& by_name) {
  std::vector<TraceCost> costs;
  for (auto& [name, cost] : by_name) {
    cost.name = trace.names[name];
    costs.push_back(std::move(cost));
  }
  std::sort(costs.begin(), costs.end(),
            [](const TraceCost& a, const TraceCost& b) { return a.ns != b.ns ? a.ns > b.ns : a.name < b.name; });
  costs.resize(std::min(costs.size(), most_costs));
  return costs;
}

/// Operators of the thread that begin within the span: outer before inner.
std::vector<const TraceEvent*> nested_operators(const TraceEvents& trace, const TraceSteps& steps) {
  const std::uint32_t thread = training_thread(trace, steps);
  std::vector<const TraceEvent*> calls;
  for (const TraceEvent& event : trace.events) {
    const bool inside = event.start_ns >= steps.span.begin && event.start_ns < steps.span.end;
    if (event.category == TraceCategory::operator_call && event.thread == thread && inside) calls.push_back(&event);
  }
  std::stable_sort(calls.begin(), calls.end(), [](const TraceEvent* a, const TraceEvent* b) {
    return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->duration_ns > b->duration_ns;
  });
  return calls;
}

}  // namespace

std::vector<TraceCost> device_costs(const TraceEvents& trace, std::int32_t device, const Span& span) {
  CostsByName by_name;
  for (const TraceEvent& event : trace.events) {
    const bool inside = event.start_ns >= span.begin && event.start_ns < span.end;
    if (!is_on_device(event.category) || event.device != device || !inside) continue;
    TraceCost& cost = by_name[event.name];
    ++cost.calls;
    cost.ns += static_cast<double>(event.duration_ns);
  }
  return costliest(trace, by_name);
}

std::vector<TraceCost> operator_costs(const TraceEvents& trace, const TraceSteps& steps) {
  CostsByName by_name;
  std::vector<const TraceEvent*> open;
  for (const TraceEvent* call : nested_operators(trace, steps)) {
    while (!open.empty() && open.back()->end_ns() <= call->start_ns) open.pop_back();
    TraceCost& cost = by_name[call->name];
    ++cost.calls;
    cost.ns += static_cast<double>(call->duration_ns);
    if (!open.empty()) by_name[open.back()->name].ns -= static_cast<double>(call->duration_ns);
    open.push_back(call);
  }
  return costliest(trace, by_name);
}

}  // namespace stepgate
