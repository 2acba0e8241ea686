// What is ordered before what: one number for each timeline (the host, a stream, a branch of a graph).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stepgate::emulator {

using TimelineNumber = std::size_t;

/// A place on one timeline. Work of one timeline is ordered, so a higher count comes later.
struct Moment {
  TimelineNumber timeline = 0;
  std::uint64_t count = 0;

  bool operator==(const Moment&) const = default;
};

/// For each timeline the last moment that is known to be over.
class VectorClock {
 public:
  /// Whether the moment is over.
  bool covers(const Moment& moment) const { return moment.count <= of(moment.timeline); }
  /// 0 where nothing of the timeline is over.
  std::uint64_t of(TimelineNumber timeline) const { return timeline < counts_.size() ? counts_[timeline] : 0; }
  /// The moment is over too.
  void add(const Moment& moment);
  /// All that the other one covers is over too.
  void merge(const VectorClock& other);

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace stepgate::emulator
