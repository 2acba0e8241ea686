#include "stepgate/step_timer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace stepgate {
namespace {

std::optional<TimeSpread> spread_of(std::vector<double> times) {
  if (times.empty()) return std::nullopt;
  std::sort(times.begin(), times.end());
  const std::size_t middle = times.size() / 2;
  const double median = times.size() % 2 == 1 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
  // Integers: 0.9 * 10 in floating point must not round up to the tenth.
  const std::size_t rank = (9 * times.size() + 9) / 10;
  return TimeSpread{median, times[rank - 1]};
}

}  // namespace

StepTimer::StepTimer(const StepTimerOptions& options) : options_(options), ring_(options.kept) {
  if (options.steps < 0) throw std::invalid_argument("StepTimer: steps is negative; 0 is without limit");
  if (options.kept == 0) throw std::invalid_argument("StepTimer: at least one step must be kept");
  require_positive_if_given(options.flops);
  begin_ns_ = last_ns_ = options_.clock();
}

bool StepTimer::next_step() {
  if (open_.marked != 0) {
    end(Boundary::logging);
    open_.wall_ns = last_ns_ - begin_ns_;
    ring_[static_cast<std::size_t>(completed_) % ring_.size()] = open_;
    ++completed_;
    open_ = {};
    begin_ns_ = last_ns_;
  } else if (!begun_) {
    begun_ = true;
    begin_ns_ = last_ns_ = options_.clock();
  }
  return !done();
}

std::size_t StepTimer::kept() const { return std::min(ring_.size(), static_cast<std::size_t>(completed_)); }

std::optional<TimeSpread> StepTimer::spread_at(Boundary boundary) const {
  const auto index = static_cast<std::size_t>(boundary);
  std::vector<double> times;
  for (std::size_t i = 0; i < kept(); ++i) {
    if ((ring_[i].marked & (1U << index)) != 0) times.push_back(static_cast<double>(ring_[i].spent_ns[index]));
  }
  return spread_of(std::move(times));
}

std::size_t StepTimer::number_of(std::string_view name) {
  for (std::size_t i = 0; i < own_count_; ++i) {
    if (own_names_[i].view() == name) return i;
  }
  const std::string_view why = own_count_ == max_own_boundaries ? "a step has at most 8 boundaries of the loop's own"
                                                                : refused_boundary_name(name);
  if (!why.empty()) {
    throw std::invalid_argument("marks.boundary(\"" + std::string(name) + "\"): " + std::string(why));
  }
  OwnName& own = own_names_[own_count_];
  own.size = name.copy(own.text.data(), own.text.size());
  return own_count_++;
}

std::optional<TimeSpread> StepSummary::of(std::string_view name) const {
  if (const auto of_table = boundary_named(name)) return of(*of_table);
  for (const OwnBoundarySpread& one : own) {
    if (one.name == name) return one.times;
  }
  return std::nullopt;
}

StepSummary StepTimer::summary() const {
  StepSummary result;
  result.steps = static_cast<std::int64_t>(kept());
  WorkDone done{.steps = result.steps};
  std::int64_t waited_ns = 0;
  std::vector<double> walls;
  for (std::size_t i = 0; i < kept(); ++i) {
    const Trace& trace = ring_[i];
    walls.push_back(static_cast<double>(trace.wall_ns));
    done.elapsed_ns += trace.wall_ns;
    done.work += trace.work;
    waited_ns += trace.spent_ns[static_cast<std::size_t>(Boundary::data_wait)];
  }
  result.step = spread_of(std::move(walls));
  for (const Boundary boundary : all_boundaries) {
    result.boundaries[static_cast<std::size_t>(boundary)] = spread_at(boundary);
  }
  for (std::size_t i = 0; i < own_count_; ++i) {
    if (const auto times = spread_at(own_boundary(i)))
      result.own.push_back({std::string(own_names_[i].view()), *times});
  }
  if (result.of(Boundary::data_wait) && done.elapsed_ns > 0) {
    result.data_wait_share = static_cast<double>(waited_ns) / static_cast<double>(done.elapsed_ns);
  }
  result.throughput = throughput_of(done, options_.flops);
  return result;
}

}  // namespace stepgate
