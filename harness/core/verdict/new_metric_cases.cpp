#include "core/verdict/new_metric_cases.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace stepgate {
namespace {

bool is_about(const Outcome& outcome, TierChoice half) {
  return half == TierChoice::all || outcome.kind.half == TierChoice::all || outcome.kind.half == half;
}

bool is_by_baseline(const Outcome& outcome) {
  return outcome.kind.reference == ReferenceKind::stored && !outcome.pairs_decided;
}

/// What was judged of one case, in one half or in both.
struct JudgedHalves {
  NewMetricCase found;
  bool has_new_metric = false;
  bool pass = true;
};

void add_outcome(const Outcome& outcome, JudgedHalves& halves) {
  halves.pass = halves.pass && passes_without_waiver(outcome.verdict);
  if (!is_by_baseline(outcome)) return;
  halves.has_new_metric = halves.has_new_metric || has_new_metric(outcome.verdict);
  std::vector<std::string>& digests = halves.found.pending_digests;
  digests.insert(digests.end(), outcome.pending_digests.begin(), outcome.pending_digests.end());
}

}  // namespace

bool is_new_metric(const MetricVerdict& metric) {
  return metric.gating && metric.status == Status::not_judged && metric.reason == ReasonCode::new_metric;
}

bool has_new_metric(const CaseVerdict& verdict) {
  return std::any_of(verdict.metrics.begin(), verdict.metrics.end(), is_new_metric);
}

bool passes_without_waiver(const CaseVerdict& verdict) {
  const bool waived = std::any_of(verdict.metrics.begin(), verdict.metrics.end(),
                                  [](const MetricVerdict& metric) { return metric.reason == ReasonCode::waived; });
  return verdict.status == Status::pass && !waived;
}

std::vector<NewMetricCase> new_metric_cases(const std::vector<Outcome>& outcomes, TierChoice half) {
  std::vector<JudgedHalves> judged;
  std::map<std::string, std::size_t> known;
  for (const Outcome& outcome : outcomes) {
    if (!is_about(outcome, half)) continue;
    const std::string& name = outcome.verdict.case_name;
    const auto [at, first] = known.try_emplace(name, judged.size());
    if (first) judged.push_back({.found = {.name = name, .pending_digests = {}}});
    add_outcome(outcome, judged[at->second]);
  }
  std::vector<NewMetricCase> cases;
  for (JudgedHalves& halves : judged) {
    if (halves.has_new_metric && halves.pass) cases.push_back(std::move(halves.found));
  }
  return cases;
}

}  // namespace stepgate
