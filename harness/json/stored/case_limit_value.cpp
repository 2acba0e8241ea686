#include "json/stored/case_limit_value.h"

#include <fmt/format.h>

#include "core/metric.h"
#include "json/text/metric_keys.h"

namespace stepgate {
namespace {

/// The key of the value says which side of it is allowed.
constexpr std::string_view key_of(AbsoluteLimitKind kind) {
  switch (kind) {
    case AbsoluteLimitKind::floor:
      return "at_least";
    case AbsoluteLimitKind::budget:
      return "at_most";
    case AbsoluteLimitKind::target:
      break;
  }
  return "value";
}

std::vector<std::string> patterns_at(const Reader& reader) { return reader.list_of(filled_text_at); }

}  // namespace

void check_direction(const Reader& reader, AbsoluteLimitKind kind, const Metric& metric) {
  if (metric.direction == Direction::neither) {
    reader.fail(fmt::format("\"{}\" is neither better nor worse when it grows: a {} needs a metric with a better side",
                            metric.name, name_of(kind)));
  }
  if (metric.tier == Tier::numeric) {
    reader.fail(fmt::format("\"{}\" is of tier numeric: a {} needs a count, bytes, a time or a rate", metric.name,
                            name_of(kind)));
  }
  const bool more_is_better = metric.direction == Direction::higher_is_better;
  if (kind == AbsoluteLimitKind::budget && more_is_better) {
    reader.fail(
        fmt::format("\"{}\" is better when it grows: a budget needs a metric of which less is better, and \"floors\" "
                    "are for this one",
                    metric.name));
  }
  if (kind == AbsoluteLimitKind::floor && !more_is_better) {
    reader.fail(
        fmt::format("\"{}\" is better when it falls: a floor needs a metric of which more is better, and "
                    "\"case_budgets\" are for this one",
                    metric.name));
  }
}

std::vector<CaseLimit> case_limits_at(const Reader& reader, AbsoluteLimitKind kind,
                                      const std::function<double(const Reader&)>& read_value) {
  return reader.list_of([&](Reader entry) {
    CaseLimit limit{.cases = filled_text_at(entry.at("case")),
                    .metric = filled_text_at(entry.at("metric")),
                    .value = read_value(entry.at(key_of(kind)))};
    if (auto runner_class = entry.find("runner_class")) limit.runner_class = filled_text_at(*runner_class);
    entry.reject_other_keys();
    check_metric(entry.at("metric"), limit.metric, std::nullopt);
    check_direction(entry.at("metric"), kind, *find_metric(limit.metric));
    return limit;
  });
}

Json value_of(const std::vector<CaseLimit>& limits, AbsoluteLimitKind kind) {
  Json list = Json::array();
  for (const CaseLimit& limit : limits) {
    Json& value = list.emplace_back(
        Json{{"case", limit.cases}, {"metric", limit.metric}, {std::string(key_of(kind)), limit.value}});
    if (!limit.runner_class.empty()) value["runner_class"] = limit.runner_class;
  }
  return list;
}

std::map<std::string, std::vector<std::string>> gating_rates_at(const Reader& reader) {
  auto rates = metrics_at(reader, Tier::timed, patterns_at);
  for (const auto& [name, patterns] : rates) {
    const Metric& metric = *find_metric(name);
    if (metric.gates) reader.fail(fmt::format("\"{}\" gates anyway", name));
    if (metric.shares_test_of.empty()) {
      reader.fail(
          fmt::format("\"{}\" is not a function of a time that gates, and has no test: limit it by \"floors\" "
                      "or \"budgets\"{}",
                      name,
                      metric.unit == MetricUnit::requests_per_s
                          ? ", or let \"steps_per_s\" gate: where a case answers requests, it is one over their mean "
                            "latency"
                          : ""));
    }
    if (patterns.empty()) reader.fail(fmt::format("\"{}\" names no case", name));
  }
  return rates;
}

}  // namespace stepgate
