#include "stats/two_clusters.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <vector>

#include "stats/sample.h"

namespace stepgate {
namespace {

/// Counts 6 to 16.
constexpr std::array<double, 11> critical = {30.1, 19.6, 14.6, 11.6, 9.87, 8.68, 7.81, 7.13, 6.57, 6.16, 5.85};
constexpr std::int64_t first_count = 6;

/// Sum of squared deviations from the mean.
double scatter(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  const double centre = sum / static_cast<double>(values.size());
  double result = 0;
  for (double value : values) result += (value - centre) * (value - centre);
  return result;
}

}  // namespace

TwoClusters two_clusters(std::span<const double> values) {
  require_sample(values, "two_clusters");
  if (values.size() < 4) throw std::domain_error("two_clusters: needs at least four values");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() == sorted.back()) return {0, sorted.front()};
  const std::span<const double> all(sorted);
  const double total = scatter(all);
  double least_within = std::numeric_limits<double>::infinity();
  std::size_t best = 2;
  for (std::size_t cut = 2; cut + 2 <= all.size(); ++cut) {
    const double within = scatter(all.first(cut)) + scatter(all.subspan(cut));
    if (!(within < least_within)) continue;
    least_within = within;
    best = cut;
  }
  const double cut = all[best - 1] + (all[best] - all[best - 1]) / 2;
  if (!(least_within > 0)) return {std::numeric_limits<double>::infinity(), cut};
  return {(total - least_within) / least_within, cut};
}

double cluster_separation_critical(std::int64_t count) {
  if (count < first_count) throw std::domain_error("cluster_separation_critical: needs at least six values");
  const auto index = static_cast<std::size_t>(count - first_count);
  return critical[std::min(index, critical.size() - 1)];
}

}  // namespace stepgate
