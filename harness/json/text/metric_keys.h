// Objects whose keys are metric names. They are checked, because a misspelt metric would never be compared. Internal to
// json/ (mentions nlohmann).
#pragma once

#include <optional>

#include "core/metric.h"
#include "json/text/reader.h"

namespace stepgate {

/// Throws at `reader`, naming the nearest series, unless the catalogue has a series of that name.
void check_series(const Reader& reader, std::string_view name);

/// Throws at `reader`, naming the nearest metric, unless `name` is in the catalogue and, if a tier is given, of that
/// tier.
void check_metric(const Reader& reader, std::string_view name, std::optional<Tier> tier);

/// reader.map_of(read), with a call of check_metric() for every key.
template <typename Read>
auto metrics_at(const Reader& reader, std::optional<Tier> tier, Read read) {
  auto result = reader.map_of(read);
  for (const auto& [name, value] : result) check_metric(reader, name, tier);
  return result;
}

}  // namespace stepgate
