#include "emulator/work/stream_timeline.h"

#include <algorithm>

namespace stepgate::emulator {

StreamState& StreamTimeline::add(StreamHandle handle, int device, const StreamFlags& flags) {
  StreamState& stream = streams_[handle];
  stream.handle = handle;
  stream.device = device;
  stream.flags = flags;
  stream.number = ++numbers_;
  if (!flags.non_blocking) blocking_[device].insert(handle);
  return stream;
}

void StreamTimeline::remove(StreamHandle handle) {
  const auto found = streams_.find(handle);
  if (found == streams_.end()) return;
  // A device is done when the work of streams that are gone is done, too.
  std::int64_t& left_ns = left_ns_[found->second.device];
  left_ns = std::max(left_ns, found->second.ready_ns);
  blocking_[found->second.device].erase(handle);
  streams_.erase(found);
}

StreamState* StreamTimeline::find(StreamHandle handle) {
  const auto found = streams_.find(handle);
  return found == streams_.end() ? nullptr : &found->second;
}

StreamState& StreamTimeline::default_of(int device) {
  const auto [place, is_new] = defaults_.try_emplace(device);
  if (is_new) {
    place->second.handle = legacy_stream;
    place->second.device = device;
    place->second.number = ++numbers_;
  }
  return place->second;
}

std::vector<StreamState*> StreamTimeline::streams_of(int device) {
  std::vector<StreamState*> found;
  for (auto& [handle, stream] : streams_) {
    if (stream.device == device) found.push_back(&stream);
  }
  return found;
}

Slot StreamTimeline::plan(StreamState& stream, const Operation& operation, std::int64_t now_ns) {
  const Slot slot = plan_node(stream.device, operation, begin_ns(stream, now_ns));
  hold_until(stream, slot.end_ns);
  return slot;
}

Slot StreamTimeline::plan_node(int device, const Operation& operation, std::int64_t earliest_ns) {
  const auto cost_ns = static_cast<std::int64_t>(static_cast<double>(operation.cost_ns) * device_scale_);
  std::int64_t* engine_free_ns = engine_of(device, operation);
  const std::int64_t begin = engine_free_ns == nullptr ? earliest_ns : std::max(earliest_ns, *engine_free_ns);
  if (engine_free_ns != nullptr) *engine_free_ns = begin + cost_ns;
  return {begin, begin + cost_ns};
}

std::int64_t StreamTimeline::begin_ns(const StreamState& stream, std::int64_t now_ns) const {
  std::int64_t begin = std::max(stream.ready_ns, now_ns);
  if (stream.flags.non_blocking) return begin;
  if (!is_default(stream)) {
    const auto legacy = defaults_.find(stream.device);
    return legacy == defaults_.end() ? begin : std::max(begin, legacy->second.ready_ns);
  }
  const auto blocking = blocking_.find(stream.device);
  if (blocking == blocking_.end()) return begin;
  for (const StreamHandle other : blocking->second) begin = std::max(begin, streams_.at(other).ready_ns);
  return begin;
}

std::int64_t StreamTimeline::ready_ns(int device) const {
  std::int64_t ready = 0;
  if (const auto left = left_ns_.find(device); left != left_ns_.end()) ready = left->second;
  if (const auto legacy = defaults_.find(device); legacy != defaults_.end()) {
    ready = std::max(ready, legacy->second.ready_ns);
  }
  for (const auto& [handle, stream] : streams_) {
    if (stream.device == device) ready = std::max(ready, stream.ready_ns);
  }
  return ready;
}

std::int64_t StreamTimeline::room_ns(StreamState& stream, std::int64_t now_ns) const {
  std::deque<std::int64_t>& ends_ns = stream.queued_ends_ns;
  while (!ends_ns.empty() && ends_ns.front() <= now_ns) ends_ns.pop_front();
  return ends_ns.size() < queue_depth ? now_ns : ends_ns.front();
}

void StreamTimeline::hold_until(StreamState& stream, std::int64_t ns) {
  stream.ready_ns = std::max(stream.ready_ns, ns);
}

bool StreamTimeline::is_default(const StreamState& stream) const { return stream.handle == legacy_stream; }

std::int64_t* StreamTimeline::engine_of(int device, const Operation& operation) {
  // Copies inside a device are kernels; the host copies its own memory itself.
  const bool has_engine = operation.kind == OperationKind::copy &&
                          operation.direction != CopyDirection::device_to_device &&
                          operation.direction != CopyDirection::host_to_host;
  return has_engine ? &engines_[device][operation.direction] : nullptr;
}

}  // namespace stepgate::emulator
