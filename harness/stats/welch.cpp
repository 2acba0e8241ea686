#include "stats/welch.h"

#include <cmath>

#include "stats/summary.h"

namespace stepgate {

WelchDifference welch_difference(std::span<const double> first, std::span<const double> second) {
  const double first_part = sample_variance(first) / static_cast<double>(first.size());
  const double second_part = sample_variance(second) / static_cast<double>(second.size());
  const double variance = first_part + second_part;
  WelchDifference result{
      .difference = mean(second) - mean(first), .standard_error = std::sqrt(variance), .degrees_of_freedom = 0};
  const double spread_of_variance = first_part * first_part / (static_cast<double>(first.size()) - 1) +
                                    second_part * second_part / (static_cast<double>(second.size()) - 1);
  if (spread_of_variance > 0) result.degrees_of_freedom = variance * variance / spread_of_variance;
  return result;
}

}  // namespace stepgate
