#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr const char* growth_metric = "reserved_growth_bytes_per_step";

using Values = std::map<std::string, std::vector<std::int64_t>>;

std::int64_t most_bytes(const Values& values, const std::string& metric) {
  const auto at = values.find(metric);
  return at == values.end() || at->second.empty() ? 0 : *std::max_element(at->second.begin(), at->second.end());
}

Severity severity_of(const JudgedComparison& input, std::int64_t growth) {
  if (is_red(input, growth_metric) || is_red(input, "peak_reserved_bytes")) return Severity::cause;
  const Baseline* baseline = work_baseline(input);
  const bool known = baseline != nullptr && most_bytes(baseline->bytes, growth_metric) >= growth;
  return known ? Severity::note : Severity::warning;
}

}  // namespace

std::vector<Finding> explain_reserved_growth(const JudgedComparison& input) {
  const std::int64_t growth = most_bytes(input.current.bytes, growth_metric);
  if (growth <= 0 || most_bytes(input.current.bytes, "leak_bytes_per_step") > 0) return {};
  std::string idle;
  if (const auto& ledger = input.current.ledger; ledger && ledger->fragmentation_bytes) {
    idle = fmt::format("; {} were reserved beyond what was allocated when memory peaked",
                       bytes_text(static_cast<double>(*ledger->fragmentation_bytes)));
  }
  return {{.code = FindingCode::reserved_grew,
           .severity = severity_of(input, growth),
           .message = fmt::format("the allocator reserves {} more with each step, and no more stays live: memory "
                                  "fragments and does not leak{}",
                                  exact_bytes_text(growth), idle),
           .advice =
               "sizes that change from step to step leave gaps that no block fits: pad or bucket shapes, allocate "
               "large buffers once, or set PYTORCH_ALLOC_CONF=expandable_segments:True. Blocks also belong to the "
               "stream that they were made on: work that takes another stream in each step reserves anew.",
           .metric = growth_metric}};
}

}  // namespace stepgate
