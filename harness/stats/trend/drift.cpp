#include "stats/trend/drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "stats/student_t.h"
#include "stats/summary.h"
#include "stats/trend/difference_noise.h"

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

class DriftWatch {
 public:
  DriftWatch(std::span<const double> values, const TrendLimits& limits, const SlotNoise* slots, std::size_t offset)
      : values_(values), limits_(limits), slots_(slots), offset_(offset), before_(values.size() + 1, 0) {
    for (std::size_t i = 0; i < values.size(); ++i) before_[i + 1] = before_[i] + values[i];
  }

  std::optional<Drift> first() {
    std::optional<Drift> last;
    for (std::size_t count = least_points; count <= values_.size(); ++count) {
      const std::optional<Drift> now = drift_at(count);
      if (now && last) return now;
      last = now;
    }
    return std::nullopt;
  }

  double mean_of(std::size_t begin, std::size_t points) const {
    return (before_[begin + points] - before_[begin]) / static_cast<double>(points);
  }

 private:
  struct Lowest {
    double level = std::numeric_limits<double>::infinity();
    std::size_t begin = 0;
  };

  std::optional<Drift> drift_at(std::size_t count) {
    std::optional<Drift> found;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const std::size_t stretch = stretches[i];
      if (count < 2 * stretch) continue;
      const std::size_t begin = count - 2 * stretch;  // of the newest stretch that can be the lowest one
      if (const double level = mean_of(begin, stretch); level < lowest_[i].level) lowest_[i] = {level, begin};
      const double change = mean_of(count - stretch, stretch) - lowest_[i].level;
      if (!(change > std::log1p(limits_.ignore_margin))) continue;
      const Bounds bounds = bounds_of(change, {lowest_[i].begin, stretch, count});
      if (!(bounds.strict > std::log1p(limits_.ignore_margin))) continue;
      if (found && found->lower_bound >= bounds.usual) continue;
      found = Drift{lowest_[i].begin, stretch, count, change, bounds.usual, 0};
    }
    return found;
  }

  struct Stretches {
    std::size_t since;
    std::size_t points;
    std::size_t count;  ///< of the series so far
  };
  struct Bounds {
    double strict;  ///< decides
    double usual;   ///< is told
  };

  Bounds bounds_of(double change, const Stretches& compared) {
    estimate_noise(compared.count);
    double variance = 2 * variance_ / static_cast<double>(compared.points);
    const std::size_t newest = offset_ + compared.count - compared.points;
    const std::size_t since = offset_ + compared.since;
    if (slots_ != nullptr &&
        (slots_->is_shared(newest, newest + compared.points) || slots_->is_shared(since, since + compared.points))) {
      variance = std::max(variance, slots_->variance_of_mean(newest, newest + compared.points) +
                                        slots_->variance_of_mean(since, since + compared.points));
    }
    const double error = std::sqrt(variance);
    return {change - strict_t_ * error, change - usual_t_ * error};
  }

  /// By the points up to the last estimate, so that an analysis of fewer or more points does the same.
  void estimate_noise(std::size_t count) {
    std::size_t points = std::max(first_noise_points, estimated_);
    while (next_noise_points(points) <= count) points = next_noise_points(points);
    if (points == estimated_) return;
    estimated_ = points;
    const double floor = std::max(limits_.noise_floor, least_noise);
    variance_ = std::max(floor * floor, long_run_variance(values_.first(points)));
    // Half of the points: a variance of differences has two thirds of the information of that of the points.
    const double freedom = static_cast<double>(points) / 2;
    strict_t_ = student_t_upper_quantile(limits_.drift_p, freedom);
    usual_t_ = student_t_quantile(bound_confidence, freedom);
  }

  std::span<const double> values_;
  TrendLimits limits_;
  const SlotNoise* slots_;
  std::size_t offset_;          ///< of these values in those of `slots_`
  std::vector<double> before_;  ///< sums of the values before each one
  std::array<Lowest, stretches.size()> lowest_{};
  std::size_t estimated_ = 0;
  double variance_ = 0;
  double strict_t_ = 0;
  double usual_t_ = 0;
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

std::optional<Drift> first_drift(std::span<const double> values, std::size_t first_point, const TrendLimits& limits,
                                 const SlotNoise* slots) {
  if (first_point >= values.size()) return std::nullopt;
  const std::span<const double> watched = values.subspan(first_point);
  DriftWatch watch(watched, limits, slots, first_point);
  std::optional<Drift> drift = watch.first();
  if (!drift) return std::nullopt;
  drift->log_change_now =
      watch.mean_of(watched.size() - drift->stretch, drift->stretch) - watch.mean_of(drift->since, drift->stretch);
  drift->since += first_point;
  drift->found += first_point;
  return drift;
}

}  // namespace stepgate
