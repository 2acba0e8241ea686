#include "stats/trend/drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "stats/student_t.h"
#include "stats/summary.h"
#include "stats/trend/difference_noise.h"
#include "stats/trend/slot_noise.h"
#include "stats/trend/spike_filter.h"

namespace stepgate {
namespace {

/// Both stretches have one of these lengths. 20 sessions are what the promise allows; 10 find what is large sooner.
constexpr std::array<std::size_t, 2> stretches = {10, 20};
constexpr std::size_t least_points = 2 * stretches.front();
static_assert(first_noise_points <= least_points);
/// A ratio of differences says little about a dependence above it, and a mean would have a sixth of its points. Own
/// choice, by simulation: with 0.9, a quarter of the drifts in dependent series was missed.
constexpr double largest_dependence = 0.7;
constexpr double outlier_deviations = 3;
constexpr double bound_confidence = 0.95;

/// Mean square about the median; what is further off than 3 robust standard deviations counts as that far.
double clipped_variance(const std::vector<double>& differences) {
  const double centre = median(differences);
  const double most = outlier_deviations * std::max(robust_standard_deviation(differences), least_noise);
  double squares = 0;
  for (const double one : differences) {
    const double distance = std::min(std::abs(one - centre), most);
    squares += distance * distance;
  }
  return squares / static_cast<double>(differences.size());
}

std::vector<double> differences_over(std::span<const double> values, std::size_t points) {
  std::vector<double> differences;
  for (std::size_t i = points; i < values.size(); ++i) differences.push_back(values[i] - values[i - points]);
  return differences;
}

/// What is known at some time of a series that grows: the noise of its first `known` points, and its values up to then.
class DriftWatch {
 public:
  DriftWatch(const MeasuredSeries& series, const TrendLimits& limits) : series_(series), limits_(limits) {
    begin_period(std::min(first_noise_points, series.values.size()));
  }

  std::optional<Drift> first() {
    std::optional<Drift> last;
    for (std::size_t count = least_points; count <= series_.values.size(); ++count) {
      if (next_noise_points(known_) <= count) begin_period(next_noise_points(known_));
      const std::optional<Drift> now = drift_at(count);
      if (now && last) return with_level_of_today(*now);
      last = now;
    }
    return std::nullopt;
  }

 private:
  struct Lowest {
    double level = std::numeric_limits<double>::infinity();
    std::size_t begin = 0;
  };
  struct Stretches {
    std::size_t since;
    std::size_t points;
    std::size_t count;  ///< of the series so far
  };
  struct Bounds {
    double strict;  ///< decides
    double usual;   ///< is told
  };

  /// By the first `known` points alone, so that an analysis of fewer or more points does the same.
  void begin_period(std::size_t known) {
    known_ = known;
    const std::span<const double> first = series_.values.first(known);
    spike_noise_ = noise_of_points(first, first_slots(known), limits_.noise_floor);
    const std::vector<double> filtered = filter_spikes(first, spike_noise_).values;
    const double floor = std::max(limits_.noise_floor, least_noise);
    variance_ = std::max(floor * floor, long_run_variance(filtered));
    slots_.emplace(filtered, series_.slots);
    // Half of the points: a variance of differences has two thirds of the information of that of the points.
    const double freedom = static_cast<double>(known) / 2;
    strict_t_ = student_t_upper_quantile(limits_.drift_p, freedom);
    usual_t_ = student_t_quantile(bound_confidence, freedom);
    sum_values_until(std::min(next_noise_points(known), series_.values.size()));
  }

  std::span<const std::size_t> first_slots(std::size_t count) const {
    return series_.slots.empty() ? series_.slots : series_.slots.first(count);
  }

  void sum_values_until(std::size_t until) {
    filtered_ = filter_spikes(series_.values.first(until), spike_noise_).values;
    before_.assign(until + 1, 0);
    for (std::size_t i = 0; i < until; ++i) before_[i + 1] = before_[i] + filtered_[i];
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      lowest_[i] = {};
      for (std::size_t begin = 0; begin + 2 * stretches[i] < known_; ++begin) look_at_lowest(i, begin);
    }
  }

  void look_at_lowest(std::size_t i, std::size_t begin) {
    const double level = level_of(begin, stretches[i]);
    if (level < lowest_[i].level) lowest_[i] = {level, begin};
  }

  double level_of(std::size_t begin, std::size_t points) const {
    return (before_[begin + points] - before_[begin]) / static_cast<double>(points);
  }

  /// The last points of the series so far: points to come decide whether they are spikes.
  using Undecided = std::array<double, spike_neighbours>;
  Undecided undecided_at(std::size_t count) const {
    Undecided values{};
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = without_spike(series_.values.first(count), count - values.size() + i, spike_noise_);
    return values;
  }

  double newest_level(std::size_t count, std::size_t stretch) const {
    const Undecided last = undecided_at(count);
    const double sum = before_[count - last.size()] - before_[count - stretch];
    return std::accumulate(last.begin(), last.end(), sum) / static_cast<double>(stretch);
  }

  /// Two spikes side by side are no spikes to the filter, and move the mean of 10 points by a fifth of their size.
  bool most_points_moved(const Drift& drift) const {
    const Undecided last = undecided_at(drift.found);
    std::vector<double> newest(filtered_.data() + (drift.found - drift.stretch), filtered_.data() + drift.found);
    std::copy(last.begin(), last.end(), newest.end() - spike_neighbours);
    return median(newest) - level_of(drift.since, drift.stretch) > std::log1p(limits_.ignore_margin);
  }

  std::optional<Drift> drift_at(std::size_t count) {
    std::optional<Drift> found;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const std::size_t stretch = stretches[i];
      if (count < 2 * stretch) continue;
      look_at_lowest(i, count - 2 * stretch);
      const double change = newest_level(count, stretch) - lowest_[i].level;
      if (!(change > std::log1p(limits_.ignore_margin))) continue;
      const Bounds bounds = bounds_of(change, {lowest_[i].begin, stretch, count});
      if (!(bounds.strict > std::log1p(limits_.ignore_margin))) continue;
      if (found && found->lower_bound >= bounds.usual) continue;
      const Drift drift{lowest_[i].begin, stretch, count, change, bounds.usual, 0};
      if (most_points_moved(drift)) found = drift;
    }
    return found;
  }

  Bounds bounds_of(double change, const Stretches& compared) const {
    double variance = 2 * variance_ / static_cast<double>(compared.points);
    const std::size_t newest = compared.count - compared.points;
    const std::size_t since = compared.since;
    if (slots_->is_shared(newest, newest + compared.points) || slots_->is_shared(since, since + compared.points)) {
      variance = std::max(variance, slots_->variance_of_mean(newest, newest + compared.points) +
                                        slots_->variance_of_mean(since, since + compared.points));
    }
    const double error = std::sqrt(variance);
    return {change - strict_t_ * error, change - usual_t_ * error};
  }

  Drift with_level_of_today(Drift drift) {
    const double lowest = newest_level(drift.found, drift.stretch) - drift.log_change;
    const std::size_t count = series_.values.size();
    while (next_noise_points(known_) <= count) begin_period(next_noise_points(known_));
    drift.log_change_now = newest_level(count, drift.stretch) - lowest;
    return drift;
  }

  MeasuredSeries series_;
  TrendLimits limits_;
  std::size_t known_ = 0;
  double spike_noise_ = 0;
  double variance_ = 0;
  double strict_t_ = 0;
  double usual_t_ = 0;
  std::optional<SlotNoise> slots_;
  std::vector<double> filtered_;  ///< the values, spikes replaced
  std::vector<double> before_;    ///< sums of those before each one
  std::array<Lowest, stretches.size()> lowest_{};
};

}  // namespace

double long_run_variance(std::span<const double> values) {
  const double over_one = clipped_variance(differences_over(values, 1));
  const double over_two = clipped_variance(differences_over(values, 2));
  if (!(over_one > 0)) return 0;
  // Of a process where each point depends on the one before by rho, differences over one point have the variance
  // 2 s^2 (1 - rho), and over two points 2 s^2 (1 - rho^2).
  const double rho = std::clamp(over_two / over_one - 1, 0.0, largest_dependence);
  return over_one / (2 * (1 - rho)) * (1 + rho) / (1 - rho);
}

std::optional<Drift> first_drift(const MeasuredSeries& series, std::size_t first_point, const TrendLimits& limits) {
  if (first_point + least_points > series.values.size()) return std::nullopt;
  const std::span<const std::size_t> slots = series.slots;
  const MeasuredSeries watched{series.values.subspan(first_point), slots.empty() ? slots : slots.subspan(first_point)};
  std::optional<Drift> drift = DriftWatch(watched, limits).first();
  if (!drift) return std::nullopt;
  drift->since += first_point;
  drift->found += first_point;
  return drift;
}

}  // namespace stepgate
