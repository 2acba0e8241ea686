// Captures of streams into graphs, and what may not be called meanwhile. Rules: CUDA C++ Programming Guide, "Creating a
// Graph Using Stream Capture", and the documentation of cudaThreadExchangeStreamCaptureMode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "emulator/model/outcome.h"
#include "emulator/work/operation_graph.h"
#include "emulator/work/stream_timeline.h"

namespace stepgate::emulator {

enum class CaptureMode { global, thread_local_only, relaxed };
enum class CaptureStatus { none, active, invalidated };

/// Who calls, as far as captures care.
struct CaptureCaller {
  std::uint64_t thread = 0;
  CaptureMode mode = CaptureMode::global;  ///< of the thread, as it last exchanged it
};

struct Capture {
  Handle handle = 0;
  CaptureMode mode = CaptureMode::global;
  bool is_invalid = false;
  StreamHandle origin = 0;
  std::uint64_t thread = 0;
  std::set<StreamHandle> joined;  ///< besides the origin
  std::shared_ptr<OperationGraph> graph;
};

struct CapturedGraph {
  Outcome outcome = Outcome::ok;
  std::shared_ptr<OperationGraph> graph = nullptr;
};

/// Calls come one at a time.
class StreamCaptures {
 public:
  explicit StreamCaptures(StreamTimeline& timeline) : timeline_(timeline) {}

  /// `handle` names the capture and its graph.
  Outcome begin(const CaptureCaller& caller, StreamState& stream, CaptureMode mode, Handle handle);
  CapturedGraph end(const CaptureCaller& caller, StreamState& stream);
  CaptureStatus status(const StreamState& stream) const;
  const Capture* find(Handle capture) const;

  /// Adds a node at the end of a captured stream; capture_invalidated where the capture is.
  Outcome add(StreamState& stream, GraphNode node);
  /// Makes `stream` depend on nodes of a capture, and a part of it where it is in none.
  Outcome depend(StreamState& stream, Handle capture, const std::vector<NodeHandle>& nodes);

  /// A call that CUDA calls potentially unsafe: cudaMalloc, cudaEventQuery and the like. Where it is forbidden, the
  /// captures that forbid it become invalid.
  Outcome unsafe_call(const CaptureCaller& caller);
  /// A use of the legacy stream of a device: invalid while a stream that waits for it is captured.
  Outcome legacy_call(int device);
  /// Whether legacy_call() would fail.
  bool is_legacy_captured(int device) const;
  /// A synchronisation of a whole device: invalid while any of its streams is captured.
  Outcome device_call(int device);
  /// A query or synchronisation of this stream: invalid where it is captured.
  Outcome stream_call(const StreamState& stream);
  void invalidate(Handle capture);
  /// The stream is about to go. Its capture becomes invalid, and ends where it began in this stream: nobody else may
  /// end it, and an open capture forbids calls of the whole process.
  void leave_destroyed(const StreamState& stream);
  std::size_t open() const { return captures_.size(); }

 private:
  bool forbids(const Capture& capture, const CaptureCaller& caller) const;
  bool is_joined(const Capture& capture, const StreamState& origin);
  /// Takes all streams out of a capture and forgets it.
  void close(Handle capture);
  void leave(StreamHandle stream);

  StreamTimeline& timeline_;
  std::map<Handle, Capture> captures_;
};

}  // namespace stepgate::emulator
