#include "measure/memory/memory_trace.h"

namespace stepgate {
namespace {

using What = MemoryChange::What;

}  // namespace

void MemoryTrace::enter(MemoryPlace place) {
  const std::lock_guard lock(mutex_);
  spans_.push_back({place, changes_.size()});
}

void MemoryTrace::correct(MemoryPlace place) {
  const std::lock_guard lock(mutex_);
  MemorySpan& span = spans_.back();
  if (span.place == place) return;
  for (std::size_t i = span.first_change; i < changes_.size(); ++i) {
    const MemoryChange& change = changes_[i];
    if (change.what == What::allocated) blocks_[change.block].made = place;
    if (change.what == What::freed) blocks_[change.block].freed = place;
  }
  span.place = place;
}

void MemoryTrace::allocate(Address address, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  live_.insert_or_assign(address, blocks_.size());
  changes_.push_back({What::allocated, blocks_.size(), bytes});
  blocks_.push_back({bytes, spans_.back().place});
}

void MemoryTrace::release(Address address) {
  const std::lock_guard lock(mutex_);
  const auto at = live_.find(address);
  if (at == live_.end()) return;
  TracedBlock& block = blocks_[at->second];
  block.freed = spans_.back().place;
  changes_.push_back({What::freed, at->second, -block.bytes});
  live_.erase(at);
}

void MemoryTrace::reserve(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  changes_.push_back({What::reserved, 0, bytes});
}

void MemoryTrace::mark(Address address, MemoryRole role) {
  const std::lock_guard lock(mutex_);
  const auto at = live_.find(address);
  if (at != live_.end() && blocks_[at->second].role == MemoryRole::none) blocks_[at->second].role = role;
}

}  // namespace stepgate
