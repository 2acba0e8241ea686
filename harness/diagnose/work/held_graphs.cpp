#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/questions.h"
#include "diagnose/recorded_nodes.h"

namespace stepgate {
namespace {

constexpr const char* held_graphs = "held_graphs_per_step";

/// The boundary whose graphs grew most in number; "" if none did.
std::string keeping_boundary(const JudgedComparison& input) {
  for (const BoundaryShare& share : changed_shares(input, held_graphs)) {
    if (share.change > 0) return share.boundary;
  }
  return "";
}

/// Graphs held at the end of the last counted step; 0 if unknown.
std::int64_t held_at_last(const JudgedComparison& input) {
  const auto at = input.current.counts.per_step.find(held_graphs);
  return at == input.current.counts.per_step.end() || at->second.empty() ? 0 : at->second.back();
}

/// Memory that grows with the run and may be what a graph keeps: its tensors, or its nodes on the host heap.
const char* growth_by_graphs(const JudgedComparison& input) {
  for (const char* metric : {"leak_bytes_per_step", "host_heap_growth_bytes_per_step"}) {
    if (is_red(input, metric)) return metric;
  }
  return nullptr;
}

/// A graph that is not that of the loss, such as a running mean of an output.
std::vector<Finding> graphs_beside_the_loss(const JudgedComparison& input) {
  const auto nodes = more_recorded_nodes(input);
  const char* growth = growth_by_graphs(input);
  if (!nodes || nodes->run || growth == nullptr) return {};
  return {{.code = FindingCode::graphs_held,
           .severity = Severity::cause,
           .message = fmt::format(
               "{}: {} autograd nodes a step are recorded that no backward runs, and memory grows with the run: a "
               "tensor outlives its step and keeps its graph",
               nodes->boundary, difference_text(MetricUnit::count, nodes->more)),
           .advice = "take detach() or a number of what a running mean, a list for the log or a state of the model "
                     "keeps; NoGradGuard around that code records nothing.",
           .metric = growth,
           .boundary = nodes->boundary}};
}

}  // namespace

std::vector<Finding> explain_held_graphs(const JudgedComparison& input) {
  const std::string boundary = keeping_boundary(input);
  if (boundary.empty() || !is_red(input, held_graphs)) return graphs_beside_the_loss(input);
  return {
      {.code = FindingCode::graphs_held,
       .severity = Severity::cause,
       .message = fmt::format("{}: a tensor outlives its step and keeps its graph; after the last counted step {} of "
                              "past steps {} still held",
                              boundary, counted(held_at_last(input), "graph"), held_at_last(input) == 1 ? "is" : "are"),
       .advice = "keep loss.detach() or a number, not the loss itself: a list for the log, a running mean, a state "
                 "of the model.",
       .metric = held_graphs,
       .boundary = boundary}};
}

}  // namespace stepgate
