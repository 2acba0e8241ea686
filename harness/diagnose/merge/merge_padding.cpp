#include "diagnose/merge/merge_padding.h"

#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "diagnose/both_sides.h"
#include "diagnose/merge/taken_work.h"
#include "diagnose/work/operator_findings.h"
#include "diagnose/work/work_location.h"

namespace stepgate {
namespace {

constexpr const char* padding_metric = "padding_tokens_per_step";

/// Padded tokens add work of the operators that are there; fills and views may come with another mask.
bool comes_of_more_tokens(const JudgedComparison& input, const Fault& fault) {
  const Finding& finding = fault.finding;
  if (finding.code == FindingCode::operator_added) return adds_only_views(input, finding.boundary);
  return finding.code == FindingCode::work_added || finding.code == FindingCode::saved_bytes_grew;
}

std::int64_t sum_in(const std::map<std::string, std::vector<std::int64_t>>& per_step) {
  const auto tokens = per_step.find("padded_tokens_per_step");
  return tokens == per_step.end() ? 0 : std::accumulate(tokens->second.begin(), tokens->second.end(), std::int64_t{0});
}

/// More padding in place of useful tokens is no more work.
bool has_more_tokens(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  return baseline != nullptr && sum_in(input.current.counts.per_step) > sum_in(baseline->exact);
}

}  // namespace

void merge_padding(const JudgedComparison& input, Faults& faults) {
  Fault* padding = find_fault(faults, FindingCode::work_added, padding_metric);
  const std::string steps = affected_steps(step_spread(input, padding_metric));
  if (padding == nullptr || steps.empty() || !has_more_tokens(input)) return;
  for (Fault& work : faults) {
    if (&work == padding || work.merged || !comes_of_more_tokens(input, work)) continue;
    const std::string& metric = work.finding.metric;
    if (affected_steps(step_spread(input, metric)) != steps) continue;
    work.finding.sources.clear();  // the whole model
    take(work, rise_text(input, metric), *padding);
  }
}

}  // namespace stepgate
