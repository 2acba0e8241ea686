#include "emulator/hazards/vector_clock.h"

#include <algorithm>

namespace stepgate::emulator {

void VectorClock::add(const Moment& moment) {
  if (moment.timeline >= counts_.size()) counts_.resize(moment.timeline + 1);
  counts_[moment.timeline] = std::max(counts_[moment.timeline], moment.count);
}

void VectorClock::merge(const VectorClock& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t timeline = 0; timeline < other.counts_.size(); ++timeline) {
    counts_[timeline] = std::max(counts_[timeline], other.counts_[timeline]);
  }
}

}  // namespace stepgate::emulator
