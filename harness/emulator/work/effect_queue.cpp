#include "emulator/work/effect_queue.h"

#include <algorithm>
#include <utility>

namespace stepgate::emulator {

void EffectQueue::add(std::int64_t at_ns, Effect effect) {
  if (!effect) return;
  const std::lock_guard<std::mutex> lock(state_);
  entries_.push_back({at_ns, ++added_, std::move(effect)});
  std::push_heap(entries_.begin(), entries_.end(), is_later);
}

void EffectQueue::settle(std::int64_t until_ns) {
  const std::lock_guard<std::recursive_mutex> lock(running_);
  run_up_to(until_ns);
}

void EffectQueue::settle_if_free(std::int64_t until_ns) {
  const std::unique_lock<std::recursive_mutex> lock(running_, std::try_to_lock);
  if (lock.owns_lock()) run_up_to(until_ns);
}

std::size_t EffectQueue::size() const {
  const std::lock_guard<std::mutex> lock(state_);
  return entries_.size();
}

void EffectQueue::run_up_to(std::int64_t until_ns) {
  while (Effect effect = take_due(until_ns)) effect();
}

bool EffectQueue::is_later(const Entry& one, const Entry& other) {
  return one.at_ns != other.at_ns ? one.at_ns > other.at_ns : one.number > other.number;
}

Effect EffectQueue::take_due(std::int64_t until_ns) {
  const std::lock_guard<std::mutex> lock(state_);
  if (entries_.empty() || entries_.front().at_ns > until_ns) return {};
  std::pop_heap(entries_.begin(), entries_.end(), is_later);
  Effect effect = std::move(entries_.back().effect);
  entries_.pop_back();
  return effect;
}

}  // namespace stepgate::emulator
