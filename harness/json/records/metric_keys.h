// Objects whose keys are metric names. They are checked, since a misspelt metric would silently be compared with
// nothing. Internal to json/ (mentions nlohmann).
#pragma once

#include <optional>

#include "core/metric.h"
#include "json/text/reader.h"

namespace stepgate {

/// Throws at `reader` unless the catalogue has a series of that name; names the nearest one.
void check_series(const Reader& reader, std::string_view name);

/// Throws at `reader` unless `name` is in the catalogue, and of that tier where one is given; names the nearest metric.
void check_metric(const Reader& reader, std::string_view name, std::optional<Tier> tier);

/// reader.map_of(read) with every key checked by check_metric().
template <typename Read>
auto metrics_at(const Reader& reader, std::optional<Tier> tier, Read read) {
  auto result = reader.map_of(read);
  for (const auto& [name, value] : result) check_metric(reader, name, tier);
  return result;
}

}  // namespace stepgate
