// Location and spread of a sample. Pure functions; they never reorder what they are given.
// All throw std::domain_error, naming the function, on an empty sample or a value that is not finite.
#pragma once

#include <span>
#include <vector>

namespace stepgate {

/// Quantile with linear interpolation between order statistics, position (n-1)p: definition 7 of Hyndman and Fan,
/// "Sample quantiles in statistical packages", The American Statistician 50 (1996), the default of NumPy and R.
/// Throws std::domain_error unless 0 <= probability <= 1.
double quantile(std::span<const double> values, double probability);

/// quantile() at each of these probabilities, in their order. Sorts the values once.
std::vector<double> quantiles(std::span<const double> values, std::span<const double> probabilities);

/// Middle value, or the mean of the two middle values.
double median(std::span<const double> values);

/// Median of the absolute deviations from the median (Hampel, JASA 69 (1974)), in the unit of the values and not
/// scaled.
double median_absolute_deviation(std::span<const double> values);

/// 1.4826 times the median absolute deviation: the standard deviation of normal data, which a few outliers do not move.
double robust_standard_deviation(std::span<const double> values);

/// Arithmetic mean.
double mean(std::span<const double> values);

/// Unbiased sample variance, divisor n-1. Throws std::domain_error for fewer than two values.
double sample_variance(std::span<const double> values);

}  // namespace stepgate
