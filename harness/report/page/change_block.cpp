#include "report/page/change_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/text/number_format.h"
#include "report/page/page_chart.h"
#include "report/page/worse_change.h"

namespace stepgate {
namespace {

/// The longest label that fits beside a row of dots.
constexpr std::size_t longest_row_label = 15;

bool is_timed(const MetricVerdict& verdict) {
  const Metric* metric = find_metric(verdict.metric);
  return metric != nullptr && metric->tier == Tier::timed;
}

std::vector<double> relative_to(const MetricVerdict& verdict, const std::vector<double>& values) {
  std::vector<double> changes;
  for (double value : values) changes.push_back(worse_of(find_metric(verdict.metric), value / *verdict.baseline - 1));
  return changes;
}

bool are_row_labels(const std::vector<std::string>& labels) {
  const std::set<std::string> unique(labels.begin(), labels.end());
  return unique.size() == labels.size() && std::all_of(labels.begin(), labels.end(), [](const std::string& label) {
           return !label.empty() && label.size() <= longest_row_label;
         });
}

/// The labels of nodes such as "trainer3 CPU 0-7": the host if it tells the nodes apart, else what follows it, else
/// "node 2".
std::vector<std::string> node_labels(const std::vector<NodePairs>& nodes) {
  std::vector<std::string> hosts;
  std::vector<std::string> devices;
  std::vector<std::string> numbers;
  for (const NodePairs& node : nodes) {
    const std::size_t space = std::min(node.place.find(' '), node.place.size());
    hosts.push_back(node.place.substr(0, space));
    devices.push_back(node.place.substr(std::min(space + 1, node.place.size())));
    numbers.push_back(fmt::format("node {}", numbers.size() + 1));
  }
  if (are_row_labels(hosts)) return hosts;
  return are_row_labels(devices) ? devices : numbers;
}

const std::vector<Pair>& pairs_on(const NodePairs& node, const std::string& metric) {
  static const std::vector<Pair> none;
  const auto found = node.pairs.find(metric);
  return found == node.pairs.end() ? none : found->second;
}

bool by_node(const CaseEvidence& evidence) { return evidence.nodes.size() > 1; }

std::vector<DotRow> node_rows(const CaseEvidence& evidence, const std::string& metric) {
  std::vector<DotRow> rows;
  const auto labels = node_labels(evidence.nodes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    rows.push_back({.label = labels[i], .changes = worse_by_pair(metric, pairs_on(evidence.nodes[i], metric))});
  }
  return rows;
}

/// Geometric mean over the pairs of a node; "-" without any.
std::string mean_change_text(const std::vector<double>& changes) {
  if (changes.empty()) return "-";
  double sum = 0;
  for (double change : changes) sum += std::log1p(change);
  return change_text(std::expm1(sum / static_cast<double>(changes.size())));
}

PageTable node_table(const CaseEvidence& evidence, const std::string& metric) {
  PageTable table{.columns = {{"node"}, {"clean pairs", true}, {"discarded", true}, {"mean change, + is worse", true}}};
  const auto rows = node_rows(evidence, metric);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const NodePairs& node = evidence.nodes[i];
    const bool named = node.place.starts_with(rows[i].label);
    table.rows.push_back({{.text = named ? node.place : rows[i].label + ": " + node.place},
                          {.text = std::to_string(rows[i].changes.size())},
                          {.text = std::to_string(node.tainted_pairs)},
                          {.text = mean_change_text(rows[i].changes)}});
  }
  return table;
}

std::vector<DotRow> dot_rows(const Outcome& outcome, const CaseEvidence* evidence, const MetricVerdict& metric) {
  if (evidence != nullptr && by_node(*evidence)) return node_rows(*evidence, metric.metric);
  std::vector<DotRow> rows;
  if (evidence != nullptr) {
    if (const auto found = evidence->pairs.find(metric.metric); found != evidence->pairs.end()) {
      rows.push_back(
          {.label = counted(found->second.size(), "pair"), .changes = worse_by_pair(metric.metric, found->second)});
      return rows;
    }
  }
  if (!metric.baseline || *metric.baseline == 0) return rows;
  for (const MetricBackground& background : outcome.backgrounds) {
    if (background.metric != metric.metric || background.scope != metric.scope) continue;
    if (!background.sessions.empty())
      rows.push_back({"stored sessions", relative_to(metric, background.sessions), true});
    if (!background.now.empty()) rows.push_back({"this run", relative_to(metric, background.now)});
  }
  return rows;
}

}  // namespace

const MetricVerdict* drawn_metric(const CaseVerdict& verdict) {
  if (const auto* deciding = deciding_metric(verdict); deciding != nullptr && is_timed(*deciding)) return deciding;
  for (const MetricVerdict& metric : verdict.metrics) {
    if (metric.gating && is_timed(metric) && metric.change) return &metric;
  }
  return nullptr;
}

PageBlock change_block(const GatePageInput& input, const GateCase& one) {
  PageBlock block;
  const MetricVerdict* metric = drawn_metric(one.outcome.verdict);
  if (metric == nullptr) return block;
  const CaseEvidence* evidence = evidence_of(input.evidence, one.outcome);
  const auto change = worse_change(*metric, evidence);
  const auto rows = dot_rows(one.outcome, evidence, *metric);
  if (!change || rows.empty()) return block;
  block.heading = label_of(metric->metric) + ", change";
  block.chart = dot_chart({one.id + "-dots", block.heading + " of " + one.outcome.verdict.case_name}, rows, *change);
  std::string sentence = fmt::format("{}: {}", values_text(*metric), worse_text(*metric));
  if (const std::string bounds = worse_interval_text(*metric); !bounds.empty()) sentence += ", " + bounds;
  if (metric->detectable_change)
    sentence += fmt::format("; a change of {} or more would have been found", share_text(*metric->detectable_change));
  block.paragraphs = {sentence};
  if (evidence != nullptr && by_node(*evidence)) block.table = node_table(*evidence, metric->metric);
  return block;
}

}  // namespace stepgate
