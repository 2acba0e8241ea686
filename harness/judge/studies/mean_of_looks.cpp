#include "judge/studies/mean_of_looks.h"

#include <cmath>
#include <cstddef>
#include <iterator>

#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr std::size_t fewest_of_a_look = 2;

/// Values of both looks, or all of them as those of one.
LookValues with_two_each(LookValues values) {
  if (values.first.size() >= fewest_of_a_look && values.further.size() >= fewest_of_a_look) return values;
  values.first.insert(values.first.end(), values.further.begin(), values.further.end());
  values.further.clear();
  return values;
}

/// Of one process, with its degrees of freedom.
PooledScatter scatter_of(const std::vector<double>& sample, const PooledScatter* shared) {
  if (shared != nullptr) return {.variance = shared_variance(sample, *shared), .freedom = shared->freedom};
  return {.variance = sample_variance(sample), .freedom = static_cast<double>(sample.size()) - 1};
}

/// Of a sum of two variances.
double freedom_of_sum(const PooledScatter& first, const PooledScatter& further) {
  const double sum = first.variance + further.variance;
  if (!(sum > 0)) return first.freedom + further.freedom;
  return sum * sum /
         (first.variance * first.variance / first.freedom + further.variance * further.variance / further.freedom);
}

}  // namespace

ScatterOfLooks pooled_by_look(const std::vector<LookValues>& samples) {
  std::vector<std::vector<double>> first;
  std::vector<std::vector<double>> further;
  for (const LookValues& sample : samples) {
    const LookValues values = with_two_each(sample);
    first.push_back(values.first);
    further.push_back(values.further);
  }
  return {.first = pooled_scatter(first), .further = pooled_scatter(further)};
}

std::optional<MeanOfLooks> mean_of_looks(const LookValues& values, const ScatterOfLooks* shared) {
  const auto [first, further] = with_two_each(values);
  if (first.size() < fewest_of_a_look) return std::nullopt;
  const auto n = static_cast<double>(first.size());
  const PooledScatter of_first = scatter_of(first, shared == nullptr ? nullptr : &shared->first);
  if (further.empty()) {
    return MeanOfLooks{.center = mean(first),
                       .standard_error = std::sqrt(of_first.variance / n),
                       .freedom = of_first.freedom,
                       .processes = std::ssize(first)};
  }
  const double m = weight_of_further_look * static_cast<double>(further.size());
  const PooledScatter of_further = scatter_of(further, shared == nullptr ? nullptr : &shared->further);
  const double weights = n + m;
  const PooledScatter part{.variance = n * of_first.variance / (weights * weights), .freedom = of_first.freedom};
  const PooledScatter further_part{.variance = weight_of_further_look * m * of_further.variance / (weights * weights),
                                   .freedom = of_further.freedom};
  return MeanOfLooks{.center = (n * mean(first) + m * mean(further)) / weights,
                     .standard_error = std::sqrt(part.variance + further_part.variance),
                     .freedom = freedom_of_sum(part, further_part),
                     .processes = std::ssize(first) + std::ssize(further)};
}

}  // namespace stepgate
