#include "diagnose/merge/taken_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "diagnose/work/operator_difference.h"

namespace stepgate {
namespace {

/// Operators that account for less are not the reason of a rise: the others work on more than before.
constexpr double taken_share = 0.5;

constexpr std::array<std::string_view, 3> casting = {"aten::_to_copy", "aten::copy_", "aten::to"};

bool counts_casts(std::string_view metric) { return metric == "casts_per_step" || metric == "cast_bytes_per_step"; }

std::int64_t amount_of(const OperatorSite& site, std::string_view metric) {
  if (metric == "flops_per_step") return site.flops;
  return metric == "copy_bytes_per_step" ? site.copied_bytes : site.bytes;
}

/// Calls of an operator that do some of the work, and how much, over all steps.
struct ObservedAmount {
  double calls = 0;
  double amount = 0;

  void add(const OperatorSite& site, std::string_view metric) {
    if (amount_of(site, metric) == 0) return;
    calls += static_cast<double>(site.calls);
    amount += static_cast<double>(amount_of(site, metric));
  }
};

/// Per step, what the calls that are new do, themselves or by what they call: clone() has copy_() copy. All calls of
/// the operator that do some of it count alike.
double amount_of_new_calls(const ObservedWork& work, const OperatorChange& change, std::string_view metric) {
  ObservedAmount own;
  ObservedAmount called;
  for (const OperatorSite& site : work.sites) {
    if (site.boundary != change.boundary) continue;
    if (site.name == change.name) own.add(site, metric);
    if (site.parent == change.name) called.add(site, metric);
  }
  const ObservedAmount& found = own.amount >= called.amount ? own : called;
  const auto steps = static_cast<double>(work.steps);
  const double share = found.calls > 0 ? std::min(1.0, change.difference() * steps / found.calls) : 0;
  return share * found.amount / steps;
}

bool is_counted_work(const Fault& fault) {
  return fault.finding.code == FindingCode::work_added || fault.finding.code == FindingCode::saved_bytes_grew;
}

bool holds(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<BoundaryShare> rises(std::vector<BoundaryShare> shares) {
  std::erase_if(shares, [](const BoundaryShare& share) { return share.change <= 0; });
  return shares;
}

std::string rise_text(const JudgedComparison& input, const std::string& metric) {
  double sum = 0;
  std::string boundaries;
  for (const BoundaryShare& share : rises(changed_shares(input, metric))) {
    sum += share.change;
    boundaries += (boundaries.empty() ? "" : ", ") + share.boundary;
  }
  const Metric* known = find_metric(metric);
  const MetricUnit unit = known == nullptr ? MetricUnit::none : known->unit;
  return fmt::format("{} {} in {}", label_of(metric), difference_text(unit, sum), boundaries);
}

bool operators_cover(const JudgedComparison& input, const BoundaryShare& share, std::string_view metric) {
  const auto& work = input.current.counts.observed;
  if (!work || work->steps == 0) return false;
  double sum = 0;
  for (const OperatorChange& change : operator_difference(input)) {
    if (change.boundary != share.boundary || change.difference() <= 0) continue;
    const bool casts = std::find(casting.begin(), casting.end(), change.name) != casting.end();
    if (counts_casts(metric) && casts) return true;
    sum += amount_of_new_calls(*work, change, metric);
  }
  return !counts_casts(metric) && sum >= taken_share * share.change;
}

void take_rises(const JudgedComparison& input, const TakenRises& taken, Fault& named, Faults& faults) {
  for (Fault& work : faults) {
    const std::string metric = work.finding.metric;
    if (work.merged || !is_counted_work(work) || !holds(taken.metrics, metric)) continue;
    const auto shares = rises(changed_shares(input, metric));
    const bool here = !shares.empty() && std::all_of(shares.begin(), shares.end(), [&](const BoundaryShare& share) {
      return share.boundary == named.finding.boundary || holds(taken.boundaries, share.boundary);
    });
    if (!here) continue;
    work.finding.sources.clear();  // the whole model
    take(work, rise_text(input, metric), named);
  }
}

}  // namespace stepgate
