#include "stats/trend/spike_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace stepgate {
namespace {

constexpr double apart_from_neighbours = 4;  // noise
constexpr double close_to_run = 2;           // noise

/// Median of up to three neighbours on each side. Needs at least one.
double neighbour_median(std::span<const double> values, std::size_t i) {
  std::array<double, 2 * spike_neighbours> near{};
  const std::size_t first = i < spike_neighbours ? 0 : i - spike_neighbours;
  const std::size_t last = std::min(values.size() - 1, i + spike_neighbours);
  std::size_t count = 0;
  for (std::size_t j = first; j <= last; ++j) {
    if (j == i) continue;
    std::size_t place = count++;  // by insertion: the library's sort has a branch for long arrays
    for (; place > 0 && near[place - 1] > values[j]; --place) near[place] = near[place - 1];
    near[place] = values[j];
  }
  return (near[(count - 1) / 2] + near[count / 2]) / 2;
}

double median_of_three(std::span<const double> three) {
  return std::max(std::min(three[0], three[1]), std::min(std::max(three[0], three[1]), three[2]));
}

bool belongs_to_run(std::span<const double> values, std::size_t i, double noise) {
  const auto is_close = [&](std::size_t first) {
    return std::abs(values[i] - median_of_three(values.subspan(first, 3))) <= close_to_run * noise;
  };
  return (i + 2 < values.size() && is_close(i)) || (i >= 2 && is_close(i - 2));
}

/// The median of the neighbours where the point is a spike.
std::optional<double> centre_beside_spike(std::span<const double> values, std::size_t i, double noise) {
  const double centre = neighbour_median(values, i);
  const bool is_spike =
      std::abs(values[i] - centre) > apart_from_neighbours * noise && !belongs_to_run(values, i, noise);
  return is_spike ? std::optional(centre) : std::nullopt;
}

}  // namespace

FilteredSeries filter_spikes(std::span<const double> values, double noise) {
  FilteredSeries result{{values.begin(), values.end()}, std::vector<bool>(values.size(), false)};
  if (values.size() < 2) return result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<double> centre = centre_beside_spike(values, i, noise);
    if (!centre) continue;
    result.values[i] = *centre;
    result.spike[i] = true;
  }
  return result;
}

double without_spike(std::span<const double> values, std::size_t i, double noise) {
  return centre_beside_spike(values, i, noise).value_or(values[i]);
}

}  // namespace stepgate
