// Which accesses to memory are ordered: vector clocks over the host and the two streams (Mattern 1989), and the last
// accesses to a block.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "measure/device/device_queue.h"

namespace stepgate {

/// Who runs one thing after the other.
enum class Actor : std::size_t { host, compute, copy };
inline constexpr std::size_t actors = 3;
constexpr Actor actor_of(Stream stream) { return stream == Stream::compute ? Actor::compute : Actor::copy; }

/// How far each actor had come, as far as one of them knows.
class VectorClock {
 public:
  std::int64_t& at(Actor actor) { return ticks_[static_cast<std::size_t>(actor)]; }
  std::int64_t at(Actor actor) const { return ticks_[static_cast<std::size_t>(actor)]; }
  void join(const VectorClock& other) {
    for (std::size_t i = 0; i < actors; ++i) ticks_[i] = std::max(ticks_[i], other.ticks_[i]);
  }

 private:
  std::array<std::int64_t, actors> ticks_{};
};

/// One access to memory, at an instant of its actor.
struct Access {
  Actor actor = Actor::host;
  std::int64_t tick = 0;
  CallSite site;
};

/// The accesses to one block that a later one must be ordered behind: the last write, and the reads since then.
class AccessLog {
 public:
  /// `now` is the clock of the new access. Returns an earlier conflicting access that is not ordered before it, if
  /// there is one. Two reads do not conflict.
  std::optional<Access> read(const Access& access, const VectorClock& now) {
    if (write_ && !is_before(*write_, now)) return write_;
    for (Access& earlier : reads_) {
      if (earlier.actor != access.actor) continue;
      earlier = access;
      return std::nullopt;
    }
    reads_.push_back(access);
    return std::nullopt;
  }
  std::optional<Access> write(const Access& access, const VectorClock& now) {
    if (const auto earlier = unordered(now)) return earlier;
    reads_.clear();
    write_ = access;
    return std::nullopt;
  }
  /// Any access that is not ordered before `now`.
  std::optional<Access> unordered(const VectorClock& now) const {
    if (write_ && !is_before(*write_, now)) return write_;
    for (const Access& earlier : reads_) {
      if (!is_before(earlier, now)) return earlier;
    }
    return std::nullopt;
  }

 private:
  static bool is_before(const Access& earlier, const VectorClock& now) { return now.at(earlier.actor) >= earlier.tick; }

  std::optional<Access> write_;
  std::vector<Access> reads_;  ///< the last of each actor
};

}  // namespace stepgate
