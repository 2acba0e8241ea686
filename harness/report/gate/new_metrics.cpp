#include "report/gate/new_metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/metric.h"

namespace stepgate {
namespace {

struct NewMetric {
  std::string metric;
  std::vector<std::string> cases;
};

void add_once(const std::string& text, std::vector<std::string>& list) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

NewMetric& entry_of(const std::string& metric, std::vector<NewMetric>& found) {
  const auto at =
      std::find_if(found.begin(), found.end(), [&](const NewMetric& each) { return each.metric == metric; });
  return at == found.end() ? found.emplace_back(NewMetric{metric, {}}) : *at;
}

std::string list_of(const std::vector<NewMetric>& found) {
  std::string text;
  for (const NewMetric& each : found) {
    const std::string where = each.cases.size() == 1 ? each.cases.front() : fmt::format("{} cases", each.cases.size());
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", label_of(each.metric), where);
  }
  return text;
}

}  // namespace

NewMetrics new_metrics(const RunReport& report) {
  std::vector<NewMetric> found;
  NewMetrics result;
  for (const Outcome& outcome : report.outcomes) {
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      if (!metric.gating || metric.status != Status::not_judged || metric.reason != "new-metric") continue;
      add_once(outcome.verdict.case_name, entry_of(metric.metric, found).cases);
      add_once(outcome.accept_command, result.commands);
    }
  }
  result.list = list_of(found);
  return result;
}

}  // namespace stepgate
