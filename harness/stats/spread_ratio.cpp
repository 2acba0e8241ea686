#include "stats/spread_ratio.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "stats/sample.h"
#include "stats/student_t.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

void require_pairs(const PairedSides& pairs, double level, const char* function) {
  const std::string name(function);
  if (!(level > 0 && level < 1)) throw std::domain_error(name + ": the level must lie between 0 and 1");
  if (pairs.with.size() != pairs.without.size()) throw std::domain_error(name + ": the sides differ in length");
  if (pairs.with.empty()) return;
  require_sample(pairs.with, function);
  require_sample(pairs.without, function);
}

std::vector<double> without_element(std::span<const double> values, std::size_t left_out) {
  std::vector<double> rest(values.begin(), values.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
  return rest;
}

/// ln(s_with / s_without); absent where a side does not vary.
std::optional<double> log_ratio(const PairedSides& pairs) {
  const double with = sample_variance(pairs.with);
  const double without = sample_variance(pairs.without);
  if (!(with > 0 && without > 0)) return std::nullopt;
  return (std::log(with) - std::log(without)) / 2;
}

/// Absent where a side does not vary once one of the pairs is left out.
std::optional<std::vector<double>> pseudo_values(const PairedSides& pairs, double theta) {
  const auto n = static_cast<double>(pairs.with.size());
  std::vector<double> values;
  for (std::size_t i = 0; i < pairs.with.size(); ++i) {
    const std::vector<double> with = without_element(pairs.with, i);
    const std::vector<double> without = without_element(pairs.without, i);
    const auto partial = log_ratio({with, without});
    if (!partial) return std::nullopt;
    values.push_back(n * theta - (n - 1) * *partial);
  }
  return values;
}

}  // namespace

std::optional<SpreadRatio> spread_ratio(const PairedSides& pairs, double level) {
  require_pairs(pairs, level, "spread_ratio");
  if (pairs.with.size() < fewest_spread_pairs) return std::nullopt;
  const auto theta = log_ratio(pairs);
  const auto pseudo = theta ? pseudo_values(pairs, *theta) : std::nullopt;
  if (!pseudo) return std::nullopt;
  const auto n = static_cast<double>(pseudo->size());
  const double standard_error = std::sqrt(sample_variance(*pseudo) / n);
  const double reach = student_t_upper_quantile((1 - level) / 2, n - 1) * standard_error;
  const double upper = std::exp(*theta + reach);
  if (!std::isfinite(upper)) return std::nullopt;
  return SpreadRatio{.ratio = std::exp(*theta),
                     .lower = std::exp(*theta - reach),
                     .upper = upper,
                     .log_standard_error = standard_error};
}

std::optional<MeanInterval> mean_shift(const PairedSides& pairs, double level) {
  require_pairs(pairs, level, "mean_shift");
  if (pairs.with.size() < fewest_spread_pairs) return std::nullopt;
  std::vector<double> differences;
  for (std::size_t i = 0; i < pairs.with.size(); ++i) differences.push_back(pairs.with[i] - pairs.without[i]);
  return mean_interval(differences, level);
}

}  // namespace stepgate
