#include "judge/reduce/reduce_trend.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
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
  double value;
  const StepSample* batch;  ///< nullptr: all points are of one size
};

bool same_size(const StepSample& one, const StepSample& other) {
  return one.shape == other.shape && one.samples == other.samples && one.padded_tokens == other.padded_tokens;
}

template <typename Value>
std::vector<TrendPoint> points_of_steps(const std::vector<StepSample>& steps, const Value& value) {
  std::vector<TrendPoint> points;
  const std::size_t stride = std::max<std::size_t>(1, (steps.size() + most_points - 1) / most_points);
  for (std::size_t i = 0; i < steps.size(); i += stride) {
    if (!steps[i].left_out() && steps[i].wall_ns > 0)
      points.push_back({static_cast<double>(i), value(steps[i]), &steps[i]});
  }
  return points;
}

double log_step_time(const StepSample& step) { return std::log(static_cast<double>(step.wall_ns)); }

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
      if (comparable) slopes.push_back((later->value - earlier->value) / (later->step - earlier->step));
    }
  }
  return slopes;
}

std::map<std::string, double> boundary_slopes(const RunRecord& record, const TimedPass& pass) {
  std::map<std::string, double> by_boundary;
  for (const Boundary boundary : record.boundaries.order()) {
    const auto slot = static_cast<std::size_t>(boundary);
    const auto time = [slot](const StepSample& step) { return static_cast<double>(step.host_ns[slot]); };
    by_boundary[std::string(record.boundaries.name(boundary))] = median(slopes_of(points_of_steps(pass.steps, time)));
  }
  return by_boundary;
}

}  // namespace

std::optional<StepTrend> step_trend(const RunRecord& record) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  if (pass == nullptr) return std::nullopt;
  const bool by_step = timed_by_step(*pass);
  const std::vector<TrendPoint> points =
      by_step ? points_of_steps(pass->steps, log_step_time) : points_of_windows(*pass);
  const std::vector<double> slopes = slopes_of(points);
  if (points.size() < fewest_points || slopes.size() < points.size()) return std::nullopt;
  const Window* last = pass->windows.empty() ? nullptr : &pass->windows.back();
  const std::int64_t steps = last == nullptr ? std::ssize(pass->steps) : last->first_step + last->steps;
  return StepTrend{.per_step = median(slopes),
                   .steps = steps,
                   .boundary_ns_per_step = by_step ? boundary_slopes(record, *pass) : std::map<std::string, double>{}};
}

}  // namespace stepgate
