#include "judge/reduce/reduce_trend.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "judge/reduce/find_pass.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

constexpr std::size_t most_points = 120;
constexpr std::size_t fewest_points = 6;  // the windows of a default e2e pass on a GPU

/// A step, or the mean of a window.
struct TrendPoint {
  double step;
  double log_ns;
  const StepSample* batch;  ///< nullptr: all points are of one size
};

bool same_size(const StepSample& one, const StepSample& other) {
  return one.shape == other.shape && one.samples == other.samples && one.padded_tokens == other.padded_tokens;
}

std::vector<TrendPoint> points_of_steps(const std::vector<StepSample>& steps) {
  std::vector<TrendPoint> points;
  const std::size_t stride = std::max<std::size_t>(1, (steps.size() + most_points - 1) / most_points);
  for (std::size_t i = 0; i < steps.size(); i += stride) {
    if (!steps[i].left_out() && steps[i].wall_ns > 0)
      points.push_back({static_cast<double>(i), std::log(static_cast<double>(steps[i].wall_ns)), &steps[i]});
  }
  return points;
}

std::vector<TrendPoint> points_of_windows(const TimedPass& pass) {
  const bool one_size = std::all_of(pass.steps.begin(), pass.steps.end(),
                                    [&](const StepSample& step) { return same_size(step, pass.steps.front()); });
  std::vector<TrendPoint> points;
  if (!one_size) return points;
  const std::size_t stride = std::max<std::size_t>(1, (pass.windows.size() + most_points - 1) / most_points);
  for (std::size_t i = 0; i < pass.windows.size(); i += stride) {
    const Window& window = pass.windows[i];
    if (window.left_out() || window.steps <= 0 || window.wall_ns <= 0) continue;
    const double log_ns = std::log(static_cast<double>(window.wall_ns) / static_cast<double>(window.steps));
    points.push_back({static_cast<double>(window.first_step), log_ns, nullptr});
  }
  return points;
}

std::vector<double> slopes_of(const std::vector<TrendPoint>& points) {
  std::vector<double> slopes;
  for (auto later = points.begin(); later != points.end(); ++later) {
    for (auto earlier = points.begin(); earlier != later; ++earlier) {
      const bool comparable = later->batch == nullptr || same_size(*later->batch, *earlier->batch);
      if (comparable) slopes.push_back((later->log_ns - earlier->log_ns) / (later->step - earlier->step));
    }
  }
  return slopes;
}

}  // namespace

std::optional<StepTrend> step_trend(const RunRecord& record) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  if (pass == nullptr) return std::nullopt;
  const std::vector<TrendPoint> points = timed_by_step(*pass) ? points_of_steps(pass->steps) : points_of_windows(*pass);
  const std::vector<double> slopes = slopes_of(points);
  if (points.size() < fewest_points || slopes.size() < points.size()) return std::nullopt;
  const Window* last = pass->windows.empty() ? nullptr : &pass->windows.back();
  const std::int64_t steps = last == nullptr ? std::ssize(pass->steps) : last->first_step + last->steps;
  return StepTrend{.per_step = median(slopes), .steps = steps};
}

}  // namespace stepgate
