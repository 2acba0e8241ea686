#include "measure/passes/exact/heap_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "core/catalogue/memory_metrics.h"
#include "measure/passes/exact/step_end_counters.h"
#include "measure/step/boundary_action.h"

namespace stepgate {
namespace {

constexpr const char* followed_series = "followed_host_heap_bytes";

/// Of the time that is left. The rest is for the passes that come after, and for steps that take longer than those
/// before.
constexpr double share_for_following = 0.8;

std::string no_time(std::int64_t steps, double needed_s) {
  return fmt::format(
      "it may grow in chunks, and {} more steps, which would show it, take {:.0f} s, too much of what is left of the "
      "process's time limit: give it more (--timeout, or TIMEOUT of the case)",
      steps, needed_s);
}

}  // namespace

HeapWatch::HeapWatch(Backend& backend, const StepCounts& steps)
    : backend_(backend), first_(std::max<std::int64_t>(1, steps.exact_warmup) - 1) {
  levels_.reserve(static_cast<std::size_t>(std::max(steps.numerics - first_, catalogue::host_heap_followed_steps + 1)));
}

void HeapWatch::end_step(std::int64_t step) {
  if (step < first_ || !absent_.empty()) return;
  backend_.synchronize();  // the device's driver may hold memory of calls that have not ended
  CounterReading found = read_host_heap(backend_);
  if (const auto* level = std::get_if<std::int64_t>(&found)) {
    levels_.push_back(*level - of_others_);
    last_read_ = std::chrono::steady_clock::now();
    if (levels_.size() == 1) first_read_ = last_read_;
  } else {
    absent_ = std::move(std::get<std::string>(found));
  }
}

void HeapWatch::go_on() {
  if (levels_.empty()) return;
  const CounterReading found = read_host_heap(backend_);
  if (const auto* level = std::get_if<std::int64_t>(&found)) of_others_ = *level - levels_.back();
}

bool HeapWatch::may_hold_chunks() const {
  std::ptrdiff_t chunks = 0;
  std::int64_t lowest_after = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = levels_.size(); i-- > 1;) {
    lowest_after = std::min(lowest_after, levels_[i]);
    chunks += lowest_after - levels_[i - 1] >= catalogue::host_heap_chunk_bytes ? 1 : 0;
  }
  return chunks > 0 && 2 * chunks < std::ssize(levels_) - 1;
}

double HeapWatch::seconds_per_step() const {
  const std::chrono::duration<double> taken = last_read_ - first_read_;
  return levels_.size() < 2 ? 0 : taken.count() / static_cast<double>(levels_.size() - 1);
}

void HeapWatch::give_up(std::string why) {
  if (absent_.empty()) absent_ = std::move(why);
  levels_.clear();
}

void HeapWatch::keep(MemoryProfile& profile) {
  if (!absent_.empty()) profile.absent[followed_series] = std::move(absent_);
  if (!levels_.empty()) profile.series[followed_series] = std::move(levels_);
}

void follow_chunks(StepActions& actions, HeapWatch& heap, const FollowedSteps& steps) {
  const bool mine = heap.may_hold_chunks();
  const bool wanted = steps.agree ? !steps.agree(!mine) : mine;
  if (!wanted || steps.first >= heap.end()) return;
  const double needed_s = static_cast<double>(heap.end() - steps.first) * heap.seconds_per_step();
  const bool in_time = !steps.left_s || needed_s <= share_for_following * *steps.left_s;
  if (!(steps.agree ? steps.agree(in_time) : in_time)) return heap.give_up(no_time(heap.end() - steps.first, needed_s));
  heap.go_on();
  for (std::int64_t step = steps.first; step < heap.end(); ++step) {
    run_boundaries(
        actions, step, [](Boundary) {}, [](Boundary) {});
    actions.release();
    heap.end_step(step);
  }
}

}  // namespace stepgate
