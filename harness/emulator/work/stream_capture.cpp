#include "emulator/work/stream_capture.h"

#include <algorithm>
#include <utility>

namespace stepgate::emulator {
namespace {

void add_missing(std::vector<NodeHandle>& nodes, const std::vector<NodeHandle>& others) {
  for (const NodeHandle node : others) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

/// All nodes that must run before one of `from`, and these themselves.
std::set<NodeHandle> nodes_before(const OperationGraph& graph, const std::vector<NodeHandle>& from) {
  std::set<NodeHandle> reached(from.begin(), from.end());
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {  // each comes after what it depends on
    if (reached.count(node->handle) == 1) reached.insert(node->after.begin(), node->after.end());
  }
  return reached;
}

}  // namespace

Outcome StreamCaptures::begin(const CaptureCaller& caller, StreamState& stream, CaptureMode mode, Handle handle) {
  if (stream.handle == legacy_stream) return Outcome::capture_unsupported;
  if (stream.capture != 0) return Outcome::illegal_state;
  Capture& capture = captures_[handle];
  capture.handle = handle;
  capture.mode = mode;
  capture.origin = stream.handle;
  capture.thread = caller.thread;
  capture.graph = std::make_shared<OperationGraph>();
  capture.graph->handle = handle;
  stream.capture = handle;
  stream.tail.clear();
  return Outcome::ok;
}

CapturedGraph StreamCaptures::end(const CaptureCaller& caller, StreamState& stream) {
  const auto found = captures_.find(stream.capture);
  if (found == captures_.end()) return {Outcome::illegal_state};
  Capture& capture = found->second;
  if (capture.mode != CaptureMode::relaxed && capture.thread != caller.thread) return {Outcome::capture_wrong_thread};
  if (capture.origin != stream.handle) {
    capture.is_invalid = true;
    return {Outcome::capture_unmatched};
  }
  CapturedGraph result{Outcome::ok, capture.graph};
  if (capture.is_invalid) {
    result = {Outcome::capture_invalidated};
  } else if (!is_joined(capture, stream)) {
    result = {Outcome::capture_unjoined};
  }
  close(capture.handle);
  return result;
}

CaptureStatus StreamCaptures::status(const StreamState& stream) const {
  const Capture* capture = find(stream.capture);
  if (capture == nullptr) return CaptureStatus::none;
  return capture->is_invalid ? CaptureStatus::invalidated : CaptureStatus::active;
}

const Capture* StreamCaptures::find(Handle capture) const {
  const auto found = captures_.find(capture);
  return found == captures_.end() ? nullptr : &found->second;
}

Outcome StreamCaptures::add(StreamState& stream, GraphNode node) {
  const auto found = captures_.find(stream.capture);
  if (found == captures_.end()) return Outcome::illegal_state;
  if (found->second.is_invalid) return Outcome::capture_invalidated;
  node.after = stream.tail;
  // What only carries values runs after the nodes before it; what follows need not wait for it, since effects keep
  // their order.
  if (node.operation.kind != OperationKind::effect_only) stream.tail = {node.handle};
  found->second.graph->nodes.push_back(std::move(node));
  return Outcome::ok;
}

Outcome StreamCaptures::depend(StreamState& stream, Handle capture, const std::vector<NodeHandle>& nodes) {
  const auto found = captures_.find(capture);
  if (found == captures_.end()) return Outcome::captured_event;  // of a capture that has ended
  if (found->second.is_invalid) return Outcome::capture_invalidated;
  if (stream.capture != 0 && stream.capture != capture) {
    found->second.is_invalid = true;
    invalidate(stream.capture);
    return Outcome::capture_merge;
  }
  if (stream.handle == legacy_stream) {
    found->second.is_invalid = true;
    return Outcome::capture_implicit;
  }
  if (stream.capture == 0) {
    stream.capture = capture;
    stream.tail.clear();
    found->second.joined.insert(stream.handle);
  }
  add_missing(stream.tail, nodes);
  return Outcome::ok;
}

Outcome StreamCaptures::unsafe_call(const CaptureCaller& caller) {
  bool is_forbidden = false;
  for (auto& [handle, capture] : captures_) {
    if (!forbids(capture, caller)) continue;
    capture.is_invalid = true;
    is_forbidden = true;
  }
  return is_forbidden ? Outcome::capture_unsupported : Outcome::ok;
}

Outcome StreamCaptures::legacy_call(int device) {
  if (captures_.empty()) return Outcome::ok;  // asked for each kernel of the legacy stream
  bool is_forbidden = false;
  for (const StreamState* stream : timeline_.streams_of(device)) {
    if (stream->capture == 0 || stream->flags.non_blocking) continue;
    invalidate(stream->capture);
    is_forbidden = true;
  }
  return is_forbidden ? Outcome::capture_implicit : Outcome::ok;
}

bool StreamCaptures::is_legacy_captured(int device) const {
  const std::vector<StreamState*> streams = timeline_.streams_of(device);
  return std::any_of(streams.begin(), streams.end(),
                     [](const StreamState* stream) { return stream->capture != 0 && !stream->flags.non_blocking; });
}

Outcome StreamCaptures::device_call(int device) {
  bool is_forbidden = false;
  for (const StreamState* stream : timeline_.streams_of(device)) {
    if (stream->capture == 0) continue;
    invalidate(stream->capture);
    is_forbidden = true;
  }
  return is_forbidden ? Outcome::capture_unsupported : Outcome::ok;
}

Outcome StreamCaptures::stream_call(const StreamState& stream) {
  if (stream.capture == 0) return Outcome::ok;
  invalidate(stream.capture);
  return Outcome::capture_unsupported;
}

void StreamCaptures::invalidate(Handle capture) {
  if (const auto found = captures_.find(capture); found != captures_.end()) found->second.is_invalid = true;
}

void StreamCaptures::leave_destroyed(const StreamState& stream) {
  const auto found = captures_.find(stream.capture);
  if (found == captures_.end()) return;
  found->second.is_invalid = true;
  found->second.joined.erase(stream.handle);
  if (found->second.origin == stream.handle) close(found->first);
}

bool StreamCaptures::forbids(const Capture& capture, const CaptureCaller& caller) const {
  if (capture.mode == CaptureMode::relaxed || caller.mode == CaptureMode::relaxed) return false;
  if (capture.thread == caller.thread) return true;
  return caller.mode == CaptureMode::global && capture.mode == CaptureMode::global;
}

bool StreamCaptures::is_joined(const Capture& capture, const StreamState& origin) {
  const std::set<NodeHandle> reached = nodes_before(*capture.graph, origin.tail);
  for (const StreamHandle handle : capture.joined) {
    const StreamState* stream = timeline_.find(handle);
    if (stream == nullptr) continue;
    const auto is_reached = [&](NodeHandle node) { return reached.count(node) == 1; };
    if (!std::all_of(stream->tail.begin(), stream->tail.end(), is_reached)) return false;
  }
  return true;
}

void StreamCaptures::close(Handle handle) {
  const auto found = captures_.find(handle);
  for (const StreamHandle joined : found->second.joined) leave(joined);
  leave(found->second.origin);
  captures_.erase(found);
}

void StreamCaptures::leave(StreamHandle handle) {
  StreamState* stream = timeline_.find(handle);
  if (stream == nullptr) return;
  stream->capture = 0;
  stream->tail.clear();
}

}  // namespace stepgate::emulator
