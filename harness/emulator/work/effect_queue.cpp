#include "emulator/work/effect_queue.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

}  // namespace

void EffectQueue::add(std::int64_t at_ns, Effect effect, EffectKind kind) {
  if (!effect) return;
  {
    const std::lock_guard<std::mutex> lock(state_);
    entries_.push_back({at_ns, ++added_, std::move(effect), kind});
    std::push_heap(entries_.begin(), entries_.end(), is_later);
    if (kind == EffectKind::function) ++waiting_functions_;
  }
  if (kind == EffectKind::function) function_added_.notify_all();
}

void EffectQueue::settle(std::int64_t until_ns) {
  while (true) {
    std::optional<std::uint64_t> ended;
    {
      const std::lock_guard<std::recursive_mutex> lock(running_);
      ended = run_up_to(until_ns);
    }
    if (!ended) return;
    std::unique_lock<std::mutex> lock(state_);
    function_ended_.wait(lock, [&] { return ended_functions_ != *ended; });
  }
}

void EffectQueue::settle_if_free(std::int64_t until_ns) {
  const std::unique_lock<std::recursive_mutex> lock(running_, std::try_to_lock);
  if (lock.owns_lock()) run_up_to(until_ns);
}

std::size_t EffectQueue::size() const {
  const std::lock_guard<std::mutex> lock(state_);
  return entries_.size();
}

std::optional<std::int64_t> EffectQueue::next_function_ns() const {
  const std::lock_guard<std::mutex> lock(state_);
  return first_function_ns();
}

bool EffectQueue::wait_for_function(std::chrono::milliseconds longest) const {
  std::unique_lock<std::mutex> lock(state_);
  return function_added_.wait_for(lock, longest, [this] { return waiting_functions_ > 0; });
}

bool EffectQueue::wait_for_wanted_function(std::chrono::milliseconds longest) const {
  std::unique_lock<std::mutex> lock(state_);
  return function_wanted_.wait_for(lock, longest, [this] {
    const std::optional<std::int64_t> next_ns = first_function_ns();
    return next_ns && *next_ns <= wanted_ns_;
  });
}

void EffectQueue::give_functions_to(std::thread::id thread) {
  {
    const std::lock_guard<std::mutex> lock(state_);
    function_thread_ = thread;
    ++ended_functions_;  // who waits for the thread before looks again
  }
  function_ended_.notify_all();
}

/// Called with running_ held. Absent where all is done, else the number of functions that had ended when it came to one
/// that it has to wait for.
std::optional<std::uint64_t> EffectQueue::run_up_to(std::int64_t until_ns) {
  while (true) {
    const Due due = take_due(until_ns);
    if (due.waits) return due.ended_functions;
    if (!due.entry.effect) return std::nullopt;
    if (due.entry.kind == EffectKind::function) {
      run_function(due.entry);
    } else {
      ++depth_;
      due.entry.effect();
      --depth_;
    }
  }
}

/// It may wait for a thread that settles what comes before it, so it runs without the lock. It ends before the lock is
/// taken again, because a thread that has the lock may wait for its end.
void EffectQueue::run_function(const Entry& entry) noexcept {
  running_.unlock();
  entry.effect();
  {
    const std::lock_guard<std::mutex> lock(state_);
    std::erase_if(functions_, [&](const RunningFunction& one) { return one.number == entry.number; });
    ++ended_functions_;
  }
  function_ended_.notify_all();
  running_.lock();
}

bool EffectQueue::is_later(const Entry& one, const Entry& other) {
  return one.at_ns != other.at_ns ? one.at_ns > other.at_ns : one.number > other.number;
}

EffectQueue::Due EffectQueue::take_due(std::int64_t until_ns) {
  const std::lock_guard<std::mutex> lock(state_);
  const bool is_due = !entries_.empty() && entries_.front().at_ns <= until_ns;
  // Who waits for a time waits for the functions up to then, too.
  if (!is_due) return {waits_for_other_thread(until_ns, any_number), ended_functions_, {}};
  const Entry& first = entries_.front();
  if (waits_for_other_thread(first.at_ns, first.number)) return {true, ended_functions_, {}};
  if (is_of_other_thread(first)) {
    wanted_ns_ = std::max(wanted_ns_, first.at_ns);
    function_wanted_.notify_all();
    return {true, ended_functions_, {}};
  }
  std::pop_heap(entries_.begin(), entries_.end(), is_later);
  Due due{false, ended_functions_, std::move(entries_.back())};
  entries_.pop_back();
  if (due.entry.kind == EffectKind::function) {
    --waiting_functions_;
    functions_.push_back({due.entry.at_ns, due.entry.number, std::this_thread::get_id()});
  }
  return due;
}

/// Whether the thread of the functions has to run it. It could not while this thread is in an effect: that one has to
/// end first.
bool EffectQueue::is_of_other_thread(const Entry& entry) const {
  const bool has_thread = function_thread_ != std::thread::id() && function_thread_ != std::this_thread::get_id();
  return entry.kind == EffectKind::function && has_thread && depth_ == 0;
}

std::optional<std::int64_t> EffectQueue::first_function_ns() const {
  std::optional<std::int64_t> first;
  for (const Entry& entry : entries_) {
    if (entry.kind == EffectKind::function) first = std::min(first.value_or(entry.at_ns), entry.at_ns);
  }
  return first;
}

/// Whether another thread is in a function that comes before this place.
bool EffectQueue::waits_for_other_thread(std::int64_t until_ns, std::uint64_t number) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const RunningFunction& one) {
    const bool is_before = one.at_ns != until_ns ? one.at_ns < until_ns : one.number < number;
    return is_before && one.thread != std::this_thread::get_id();
  });
}

}  // namespace stepgate::emulator
