#include "diagnose/merge/fault.h"

#include <algorithm>
#include <utility>

#include "diagnose/boundary_shares.h"
#include "diagnose/work/source_of_change.h"

namespace stepgate {
namespace {

void add_metric(const std::string& metric, Finding& finding) {
  const bool known = metric.empty() || metric == finding.metric ||
                     std::find(finding.also.begin(), finding.also.end(), metric) != finding.also.end();
  if (!known) finding.also.push_back(metric);
}

std::string joined_parts(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

template <typename Wanted>
Fault* find_open(Faults& faults, Wanted wanted) {
  const auto at =
      std::find_if(faults.begin(), faults.end(), [&](const Fault& fault) { return !fault.merged && wanted(fault); });
  return at == faults.end() ? nullptr : &*at;
}

double total_rise(const JudgedComparison& input, const std::string& metric) {
  double sum = 0;
  for (const BoundaryShare& share : changed_shares(input, metric)) sum += std::max(0.0, share.change);
  return sum;
}

}  // namespace

Fault fault_of(Finding finding) {
  Fault fault{.finding = std::move(finding)};
  fault.claims.push_back({fault.finding.metric, fault.finding.boundary});
  for (const std::string& metric : fault.finding.also) fault.claims.push_back({metric, fault.finding.boundary});
  return fault;
}

double share_explained(const JudgedComparison& input, const Fault& fault, const std::string& metric) {
  const double rise = total_rise(input, metric);
  double explained = 0;
  for (const ExplainedRise& claim : fault.claims) {
    if (claim.metric != metric) continue;
    if (claim.boundary.empty() || rise == 0) return 1;
    explained += std::max(0.0, share_of(changed_shares(input, metric), claim.boundary));
  }
  return rise == 0 ? 0 : explained / rise;
}

bool is_operator_cause(const Fault& fault) {
  return !fault.merged && fault.finding.code.is(FindingNature::added_operators);
}

bool is_host_sync(const Fault& fault) { return fault.finding.code == FindingCode::host_sync_added; }

Fault* find_fault(Faults& faults, FindingCode code) {
  return find_open(faults, [&](const Fault& fault) { return fault.finding.code == code; });
}

Fault* find_fault(Faults& faults, FindingCode code, std::string_view metric) {
  return find_open(faults,
                   [&](const Fault& fault) { return fault.finding.code == code && fault.finding.metric == metric; });
}

Fault* added_operators(Faults& faults, std::string_view boundary) {
  return find_open(faults,
                   [&](const Fault& fault) { return is_operator_cause(fault) && fault.finding.boundary == boundary; });
}

void take(Fault& part, const std::string& text, Fault& whole) {
  if (!text.empty()) whole.parts.push_back(text);
  add_metric(part.finding.metric, whole.finding);
  for (const std::string& metric : part.finding.also) add_metric(metric, whole.finding);
  add_sources(part.finding.sources, whole.finding.sources);
  for (const ExplainedRise& claim : part.claims) {
    if (std::find(whole.claims.begin(), whole.claims.end(), claim) == whole.claims.end()) whole.claims.push_back(claim);
  }
  part.merged = true;
}

void take_whole(Fault& part, Fault& whole) {
  const std::string own = part.parts.empty() ? "" : " (" + joined_parts(part.parts) + ")";
  take(part, part.finding.message + own, whole);
}

double allocated_more(const JudgedComparison& input) {
  return total_rise(input, "allocated_bytes_per_step") +
         allocation_rounding * total_rise(input, "allocations_per_step");
}

Finding written(Fault fault) {
  Finding finding = std::move(fault.finding);
  finding.message += fault.steps;
  if (!fault.parts.empty()) finding.message += "; with it " + joined_parts(fault.parts);
  return finding;
}

}  // namespace stepgate
