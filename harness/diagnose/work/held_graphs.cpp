#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/questions.h"

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

}  // namespace

std::vector<Finding> explain_held_graphs(const JudgedComparison& input) {
  const std::string boundary = keeping_boundary(input);
  if (boundary.empty() || !is_red(input, held_graphs)) return {};
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
