// A host and two streams in virtual time. Only scripted work advances the clocks, and each order between host and
// streams is kept beside the time.
#pragma once

#include <array>
#include <cstdint>

#include "measure/device/fake/access_order.h"

namespace stepgate {

/// When all work that a stream held is done, and what has happened before that.
struct StreamMoment {
  Actor actor = Actor::compute;
  std::int64_t ns = 0;
  VectorClock clock;
};

class ScriptedTimeline {
 public:
  std::int64_t host_ns() const { return host_ns_; }
  void work_on_host(std::int64_t ns) { host_ns_ += ns; }

  /// Queues work. It begins as soon as the host has come here and the stream is idle.
  Access run(Stream stream, std::int64_t ns, const CallSite& site);
  /// Something that the host does itself.
  Access run_on_host(const CallSite& site);

  StreamMoment moment(Stream stream);
  /// Work queued later on `stream` begins after `moment`.
  void wait(Stream stream, const StreamMoment& moment);
  /// True where the moment is past; the host then knows it.
  bool is_past(const StreamMoment& moment);
  /// The host waits for `moment`.
  void synchronize(const StreamMoment& moment);
  /// The host waits for both streams.
  void synchronize();
  /// Whether the host has waited for `moment`, or asked and found it past.
  bool host_knows(const StreamMoment& moment) const;

  const VectorClock& clock(Actor actor) const { return clocks_[static_cast<std::size_t>(actor)]; }

 private:
  VectorClock& own(Actor actor) { return clocks_[static_cast<std::size_t>(actor)]; }

  std::int64_t host_ns_ = 0;
  std::array<std::int64_t, 2> busy_until_ns_{};  ///< by Stream
  std::array<VectorClock, actors> clocks_;       ///< by Actor
};

}  // namespace stepgate
