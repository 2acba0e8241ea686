#include "json/records/metric_keys.h"

#include <fmt/format.h>

#include "core/text/excerpt.h"
#include "system/nearest_name.h"

namespace stepgate {

namespace {

std::string metric_suggestion(std::string_view name, const std::vector<std::string_view>& candidates) {
  const auto nearest = nearest_name(name, candidates);
  return nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "";
}

}  // namespace

void check_series(const Reader& reader, std::string_view name) {
  if (find_series(name) != nullptr) return;
  std::vector<std::string_view> candidates;
  for (const Metric& known : metric_catalogue()) {
    if (!known.series.empty()) candidates.push_back(known.series);
  }
  reader.fail(fmt::format("unknown counter \"{}\"{}", excerpt(name), metric_suggestion(name, candidates)));
}

void check_metric(const Reader& reader, std::string_view name, std::optional<Tier> tier) {
  const Metric* metric = find_metric(name);
  if (metric != nullptr && (!tier || metric->tier == *tier)) return;
  if (metric != nullptr) {
    reader.fail(fmt::format("\"{}\" is of tier {}, and only tier {} belongs here", name, name_of(metric->tier),
                            name_of(*tier)));
  }
  std::vector<std::string_view> candidates;
  for (const Metric& known : metric_catalogue()) {
    if (!tier || known.tier == *tier) candidates.push_back(known.name);
  }
  reader.fail(fmt::format("unknown metric \"{}\"{}", excerpt(name), metric_suggestion(name, candidates)));
}

}  // namespace stepgate
