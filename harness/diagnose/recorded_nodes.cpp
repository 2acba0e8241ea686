#include "diagnose/recorded_nodes.h"

#include <algorithm>
#include <vector>

#include "core/boundary.h"
#include "core/text/operator_change.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"

namespace stepgate {
namespace {

constexpr const char* held_graphs_metric = "held_graphs_per_step";

bool backward_calls_more(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  const auto& counts = input.current.counts;
  if (baseline == nullptr || baseline->operators.empty() || counts.operators.empty()) return false;
  const auto changes = operator_changes({baseline->operators, counted_steps(baseline->exact)},
                                        {counts.operators, counted_steps(counts.per_step)});
  return std::any_of(changes.begin(), changes.end(), [](const OperatorChange& change) {
    return change.boundary == name_of(Boundary::backward) && change.difference() > 0;
  });
}

bool has_risen(const std::vector<BoundaryShare>& shares) {
  return std::any_of(shares.begin(), shares.end(), [](const BoundaryShare& share) { return share.change > 0; });
}

}  // namespace

std::optional<RecordedNodes> more_recorded_nodes(const JudgedComparison& input) {
  RecordedNodes nodes;
  nodes.run = backward_calls_more(input);
  double most = 0;
  for (const BoundaryShare& share : changed_shares(input, "autograd_nodes_per_step")) {
    nodes.more += share.change;
    if (share.change <= most) continue;
    most = share.change;
    nodes.boundary = share.boundary;
  }
  return most > 0 && nodes.more > 0 ? std::optional(nodes) : std::nullopt;
}

bool may_keep_graphs(const JudgedComparison& input) {
  if (!input.current.counts.per_step.contains(held_graphs_metric)) return true;
  const auto nodes = more_recorded_nodes(input);
  return has_risen(changed_shares(input, held_graphs_metric)) || (nodes && !nodes->run);
}

}  // namespace stepgate
