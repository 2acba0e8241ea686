#include "diagnose/work/held_graphs.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

constexpr const char* held_graphs = "held_graphs_per_step";

using Totals = std::map<std::string, std::int64_t>;

Totals totals_of(const std::map<std::string, Totals>& by_boundary) {
  const auto at = by_boundary.find(held_graphs);
  return at == by_boundary.end() ? Totals{} : at->second;
}

/// The boundary whose graphs grew most in number; "" if no boundary is known.
std::string keeping_boundary(const Comparison& input) {
  const Baseline* baseline = work_baseline(input);
  const Totals before = baseline == nullptr ? Totals{} : totals_of(baseline->counts_by_boundary);
  std::string boundary;
  std::int64_t most = 0;
  for (const auto& [name, graphs] : totals_of(input.current.counts.by_boundary)) {
    const auto at = before.find(name);
    const std::int64_t more = graphs - (at == before.end() ? 0 : at->second);
    if (more <= most) continue;
    most = more;
    boundary = name;
  }
  return boundary;
}

/// At the end of the last counted step; 0 if unknown.
std::int64_t held_at_last(const Comparison& input) {
  const auto at = input.current.counts.per_step.find(held_graphs);
  return at == input.current.counts.per_step.end() || at->second.empty() ? 0 : at->second.back();
}

}  // namespace

std::vector<Finding> explain_held_graphs(const Comparison& input) {
  const std::string boundary = keeping_boundary(input);
  if (boundary.empty() || !is_red(input, held_graphs)) return {};
  return {
      {.code = "graphs-held",
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
