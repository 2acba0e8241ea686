#include "json/text/metric_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/excerpt.h"
#include "system/nearest_name.h"

namespace stepgate {

namespace {

std::string metric_suggestion(std::string_view name, const std::vector<std::string_view>& candidates) {
  const auto nearest = nearest_name(name, candidates);
  return nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "";
}

/// The name in the spelling of the catalogue: "Grad-Norm" as "grad_norm".
std::string in_catalogue_form(std::string_view name) {
  std::string form(name);
  for (char& letter : form) {
    if (letter == ' ' || letter == '-') letter = '_';
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return form;
}

/// Suggests by the name of a metric, else by its label: reports show the label only, and a reader copies it.
std::string suggested_metric(std::string_view name, std::optional<Tier> tier) {
  std::vector<std::string_view> names;
  std::vector<std::string_view> labels;
  for (const Metric& known : metric_catalogue()) {
    if (tier && known.tier != *tier) continue;
    names.push_back(known.name);
    labels.push_back(known.label);
  }
  if (const auto label = std::find(labels.begin(), labels.end(), name); label != labels.end()) {
    return fmt::format("; did you mean \"{}\"?", names[static_cast<std::size_t>(label - labels.begin())]);
  }
  if (std::string text = metric_suggestion(in_catalogue_form(name), names); !text.empty()) return text;
  const auto nearest = nearest_name(name, labels);
  if (!nearest) return "";
  const auto at = std::find(labels.begin(), labels.end(), *nearest) - labels.begin();
  return fmt::format("; did you mean \"{}\"?", names[static_cast<std::size_t>(at)]);
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
  reader.fail(fmt::format("unknown metric \"{}\"{}", excerpt(name), suggested_metric(name, tier)));
}

}  // namespace stepgate
