#include "emulator/nvml/nvml_events.h"

#include <algorithm>

namespace stepgate::emulator {

std::uintptr_t NvmlEvents::create() {
  const std::lock_guard lock(mutex_);
  sets_.emplace(++last_, Known{});
  return last_;
}

NvmlOutcome NvmlEvents::destroy(std::uintptr_t set) {
  const std::lock_guard lock(mutex_);
  return sets_.erase(set) == 0 ? NvmlOutcome::invalid_argument : NvmlOutcome::ok;
}

NvmlOutcome NvmlEvents::watch_faults(std::uintptr_t set, int place) {
  const std::lock_guard lock(mutex_);
  const auto found = sets_.find(set);
  if (found == sets_.end()) return NvmlOutcome::invalid_argument;
  found->second.emplace(place, devices_.xid(place));
  return NvmlOutcome::ok;
}

NvmlAnswer<NvmlEvent> NvmlEvents::look(std::uintptr_t set) {
  const std::lock_guard lock(mutex_);
  const auto found = sets_.find(set);
  if (found == sets_.end()) return {NvmlOutcome::invalid_argument, {}};
  for (auto& [place, known] : found->second) {
    const std::int64_t now = devices_.xid(place);
    if (now == known) continue;
    known = now;
    if (now != 0) return {NvmlOutcome::ok, {place, now}};
  }
  return {NvmlOutcome::timeout, {}};
}

NvmlAnswer<NvmlEvent> NvmlEvents::wait(std::uintptr_t set, std::int64_t timeout_ms) {
  constexpr std::int64_t between_looks_ms = 5;
  for (std::int64_t left_ms = timeout_ms;; left_ms -= between_looks_ms) {
    const NvmlAnswer<NvmlEvent> seen = look(set);
    if (seen.outcome != NvmlOutcome::timeout || left_ms <= 0) return seen;
    sleep_(std::min(left_ms, between_looks_ms));
  }
}

}  // namespace stepgate::emulator
