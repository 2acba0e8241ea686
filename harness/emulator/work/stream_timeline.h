// The streams of all devices: when each has done what it holds, and which waits for which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

struct StreamFlags {
  bool non_blocking = false;  ///< does not wait for the legacy stream, nor that for it
  int priority = 0;
};

struct StreamState {
  StreamHandle handle = 0;
  int device = 0;
  StreamFlags flags;
  std::uint32_t number = 0;
  std::int64_t ready_ns = 0;     ///< when all that it holds is done
  Handle capture = 0;            ///< the capture that it is part of
  std::vector<NodeHandle> tail;  ///< of that capture: what the next node depends on
  std::deque<std::int64_t> queued_ends_ns;
};

/// When an operation runs.
struct Slot {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// So many operations of a stream may wait; then the host waits for the oldest. Own choice, near what drivers do.
inline constexpr std::size_t queue_depth = 1024;

/// Kernels of different streams run side by side; copies of one direction share an engine. Calls come one at a time.
class StreamTimeline {
 public:
  explicit StreamTimeline(double device_scale) : device_scale_(device_scale) {}

  /// `handle` is new.
  StreamState& add(StreamHandle handle, int device, const StreamFlags& flags);
  void remove(StreamHandle handle);
  /// nullptr where there is no such stream.
  StreamState* find(StreamHandle handle);
  /// The stream of the handles that every device has.
  StreamState& default_of(int device);
  std::vector<StreamState*> streams_of(int device);
  /// Without the streams that every device has.
  std::size_t size() const { return streams_.size(); }

  /// Plans work at the end of a stream, not before `now_ns`.
  Slot plan(StreamState& stream, const Operation& operation, std::int64_t now_ns);
  /// Plans a node of a graph: not before `earliest_ns`, whatever its stream holds.
  Slot plan_node(int device, const Operation& operation, std::int64_t earliest_ns);
  /// Where the stream could begin something now.
  std::int64_t begin_ns(const StreamState& stream, std::int64_t now_ns) const;
  /// When all streams of a device are done.
  std::int64_t ready_ns(int device) const;
  /// When the host may queue more in this stream; `now_ns` where it may at once.
  std::int64_t room_ns(StreamState& stream, std::int64_t now_ns) const;
  void hold_until(StreamState& stream, std::int64_t ns);

 private:
  bool is_default(const StreamState& stream) const;
  std::int64_t* engine_of(int device, const Operation& operation);

  double device_scale_;
  std::map<StreamHandle, StreamState> streams_;
  std::map<int, StreamState> defaults_;
  std::map<int, std::set<StreamHandle>> blocking_;                ///< LibTorch has many streams, and none of these
  std::map<int, std::map<CopyDirection, std::int64_t>> engines_;  ///< when each is free
  std::map<int, std::int64_t> left_ns_;                           ///< when the work of removed streams is done
  std::uint32_t numbers_ = 0;
};

}  // namespace stepgate::emulator
