#include "baseline/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/metric.h"
#include "core/record/fingerprint_mismatches.h"
#include "core/record/loss_sequences.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

double mean_of(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// All replicates of all sessions.
std::vector<double> timed_values(const Baseline& baseline, const std::string& metric) {
  std::vector<double> all;
  for (const Session& session : baseline.sessions) {
    const auto at = session.timed.find(metric);
    if (at != session.timed.end()) all.insert(all.end(), at->second.begin(), at->second.end());
  }
  return all;
}

template <typename Values>
bool differ(const std::map<std::string, Values>& before, const std::map<std::string, Values>& after,
            const std::string& metric) {
  const auto a = before.find(metric);
  const auto b = after.find(metric);
  if (a == before.end() || b == after.end()) return (a == before.end()) != (b == after.end());
  return a->second != b->second;
}

/// True if any value of the metric differs: a sequence may change and keep its mean.
bool moved(const Baseline& before, const Baseline& after, const std::string& metric) {
  const auto* loss_before = before.numerics ? numeric_sequence(*before.numerics, metric) : nullptr;
  const auto* loss_after = after.numerics ? numeric_sequence(*after.numerics, metric) : nullptr;
  if (loss_before != nullptr || loss_after != nullptr) {
    return loss_before == nullptr || loss_after == nullptr || *loss_before != *loss_after;
  }
  return differ(before.exact, after.exact, metric) || differ(before.bytes, after.bytes, metric) ||
         timed_values(before, metric) != timed_values(after, metric);
}

std::optional<double> value_of(const std::map<std::string, double>& values, const std::string& metric) {
  const auto at = values.find(metric);
  return at == values.end() ? std::nullopt : std::optional<double>(at->second);
}

std::optional<double> relative(const std::optional<double>& before, const std::optional<double>& after) {
  if (!before || !after || *before == 0) return std::nullopt;
  return (*after - *before) / std::abs(*before);
}

std::vector<std::string> in_catalogue_order(std::set<std::string> names) {
  std::vector<std::string> ordered;
  for (const Metric& metric : known_metrics({names.begin(), names.end()})) ordered.emplace_back(metric.name);
  for (const std::string& known : ordered) names.erase(known);
  ordered.insert(ordered.end(), names.begin(), names.end());
  return ordered;
}

std::string origin_of(const Provenance& provenance) {
  std::string text = short_commit(provenance.commit);
  if (!provenance.utc.empty()) text += (text.empty() ? "" : ", ") + provenance.utc.substr(0, 10);
  if (!provenance.reason.empty()) text += (text.empty() ? "" : ": ") + provenance.reason;
  return text;
}

/// Facts that differ, in both directions: a fact that only the new side has differs too.
std::vector<FingerprintMismatch> key_differences(const Fingerprint& before, const Fingerprint& after) {
  auto facts = differences(before, after);
  for (FingerprintMismatch& fact : facts) {
    if (fact.expected.empty()) fact.expected = "(unknown)";
  }
  return facts;
}

void fill_rows(const Baseline* committed, const Baseline& pending, BaselineDiff& diff) {
  const auto before = committed == nullptr ? std::map<std::string, double>{} : headline_values(*committed);
  const auto after = headline_values(pending);
  const auto& anchor = committed != nullptr && committed->anchor ? committed->anchor : pending.anchor;
  if (anchor)
    diff.anchor_from = short_commit(anchor->commit) + (anchor->utc.empty() ? "" : ", " + anchor->utc.substr(0, 10));
  std::set<std::string> names;
  for (const auto& [metric, value] : before) names.insert(metric);
  for (const auto& [metric, value] : after) names.insert(metric);
  for (const std::string& metric : in_catalogue_order(std::move(names))) {
    BaselineDiffRow row{.metric = metric,
                        .before = value_of(before, metric),
                        .after = value_of(after, metric),
                        .change = relative(value_of(before, metric), value_of(after, metric)),
                        .since_anchor = std::nullopt,
                        .moved = committed == nullptr || moved(*committed, pending, metric)};
    if (anchor) row.since_anchor = relative(value_of(anchor->values, metric), row.after);
    diff.rows.push_back(std::move(row));
  }
}

/// The size of a row's change, for ranking; a value that appears or disappears ranks first.
double distance(const BaselineDiffRow& row) {
  if (!row.before || !row.after) return 0;
  if (row.change) return std::abs(*row.change);
  return row.before == row.after ? 0 : std::numeric_limits<double>::infinity();
}

}  // namespace

std::map<std::string, double> headline_values(const Baseline& baseline) {
  std::map<std::string, double> values;
  for (const auto& [metric, steps] : baseline.exact) {
    if (!steps.empty()) values[metric] = mean_of(steps);
  }
  for (const auto& [metric, distinct] : baseline.bytes) {
    if (!distinct.empty()) values[metric] = static_cast<double>(*std::max_element(distinct.begin(), distinct.end()));
  }
  if (baseline.numerics) {
    for (const std::string& metric : numeric_metrics(*baseline.numerics)) {
      values[metric] = numeric_sequence(*baseline.numerics, metric)->back();
    }
  }
  std::set<std::string> timed;
  for (const Session& session : baseline.sessions) {
    for (const auto& [metric, replicates] : session.timed) timed.insert(metric);
  }
  for (const std::string& metric : timed) {
    auto all = timed_values(baseline, metric);
    if (!all.empty()) values[metric] = median(all);
  }
  return values;
}

BaselineDiff diff_baselines(const Baseline* committed, const Baseline& pending) {
  BaselineDiff diff;
  diff.case_name = pending.case_name;
  diff.runner_class = file_label(pending);
  diff.first = committed == nullptr;
  diff.sessions_after = pending.sessions.size();
  fill_rows(committed, pending, diff);
  if (committed == nullptr) return diff;
  diff.sessions_before = committed->sessions.size();
  diff.committed_by = origin_of(committed->provenance);
  diff.key_facts = key_differences(committed->key, pending.key);
  diff.operators = operator_changes({committed->operators, counted_steps(committed->exact)},
                                    {pending.operators, counted_steps(pending.exact)});
  return diff;
}

std::string largest_move(const BaselineDiff& diff) {
  const BaselineDiffRow* farthest = nullptr;
  for (const BaselineDiffRow& row : diff.rows) {
    const Metric* metric = find_metric(row.metric);
    if (metric == nullptr || !metric->gates || distance(row) == 0) continue;
    if (farthest == nullptr || distance(row) > distance(*farthest)) farthest = &row;
  }
  if (farthest == nullptr) return "";
  const MetricUnit unit = find_metric(farthest->metric)->unit;
  const std::string line = fmt::format("{} {} -> {}", farthest->metric, quantity_text(unit, *farthest->before),
                                       quantity_text(unit, *farthest->after));
  const std::string difference = difference_text(unit, *farthest->after - *farthest->before);
  return line + (farthest->change
                     ? fmt::format(" ({})", unit == MetricUnit::bytes ? difference : change_text(*farthest->change))
                     : fmt::format(" ({})", difference));
}

}  // namespace stepgate
