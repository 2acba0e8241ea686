// Divides a stretch of time among things that ran side by side: at each moment the one of the lowest rank has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "stats/spans.h"

namespace stepgate {

/// Takes the things in the order of their begin, and needs memory for none of them.
class RankedTime {
 public:
  RankedTime(const Span& within, std::size_t ranks)
      : within_(within), now_(within.begin), ends_(ranks, within.begin), lengths_(ranks) {}

  /// Something of `rank` ran during `span`; what of it lies outside of the stretch does not count. Returns the time
  /// until its begin in which nothing ran, if there was any.
  std::optional<Span> add(const Span& span, std::size_t rank);
  /// Call after the last one: returns the time at the end in which nothing ran.
  std::optional<Span> finish() { return advance(within_.end); }

  std::int64_t of(std::size_t rank) const { return lengths_[rank]; }
  /// Time in which nothing ran.
  std::int64_t idle() const { return idle_; }

 private:
  std::optional<Span> advance(std::int64_t until);

  Span within_;
  std::int64_t now_;
  std::int64_t idle_ = 0;
  std::vector<std::int64_t> ends_;     ///< by rank: when the last of what ran so far ends
  std::vector<std::int64_t> lengths_;  ///< by rank
};

}  // namespace stepgate
