#include "emulator/hazards/happens_before.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace stepgate::emulator {

WorkOrder::WorkOrder() {
  host_.timeline = new_timeline();
  track_by_timeline_[host_.timeline] = &host_;
}

TimelineNumber WorkOrder::new_timeline() {
  counts_.push_back(1);
  return counts_.size() - 1;
}

/// What the host has heard of is before all that it queues from now on, so a later graph may go on there.
TimelineNumber WorkOrder::new_branch() {
  const auto over = std::find_if(dropped_branches_.begin(), dropped_branches_.end(),
                                 [this](TimelineNumber branch) { return host_.before.covers(now_of(branch)); });
  if (over == dropped_branches_.end()) return new_timeline();
  const TimelineNumber branch = *over;
  dropped_branches_.erase(over);
  return branch;
}

WorkOrder::Track& WorkOrder::track_of(int device, StreamHandle stream) {
  const StreamHandle one = stream == default_stream ? legacy_stream : stream;
  const auto [found, is_new] = tracks_.try_emplace({device, one});
  if (is_new) {
    found->second.timeline = new_timeline();
    found->second.device = device;
    found->second.is_legacy = one == legacy_stream;
    track_by_timeline_[found->second.timeline] = &found->second;
  }
  return found->second;
}

/// What `from` has done so far is over for `to`; what it does from now on is not.
void WorkOrder::join(Track& to, Track& from) {
  if (&to == &from) return;
  to.before.merge(from.before);
  to.before.add(now_of(from.timeline));
  ++counts_[from.timeline];
}

/// Rules: CUDA Runtime API, "Stream synchronization behavior".
void WorkOrder::join_legacy(Track& track) {
  if (track.is_legacy) {
    for (auto& [key, other] : tracks_) {
      if (other.device == track.device && other.is_blocking) join(track, other);
    }
  } else if (track.is_blocking) {
    const auto legacy = tracks_.find({track.device, legacy_stream});
    if (legacy != tracks_.end()) join(track, legacy->second);
  }
}

WorkOrder::Track& WorkOrder::queue_in(const WorkPlace& place) {
  Track& track = track_of(place.device, place.stream);
  track.is_blocking = place.is_blocking;
  join(track, host_);
  join_legacy(track);
  return track;
}

OrderPoint WorkOrder::work_in(const WorkPlace& place) {
  const Track& track = queue_in(place);
  return {now_of(track.timeline), track.before};
}

OrderPoint WorkOrder::host_now() { return {now_of(host_.timeline), host_.before}; }

VectorClock WorkOrder::end_of(const WorkPlace& place) {
  const Track& track = queue_in(place);
  VectorClock end = track.before;
  end.add(now_of(track.timeline));
  ++counts_[track.timeline];
  return end;
}

void WorkOrder::begin_after(const WorkPlace& place, const VectorClock& before) { queue_in(place).before.merge(before); }

void WorkOrder::record_event(const WorkPlace& place, EventHandle event) { events_[event] = end_of(place); }

void WorkOrder::wait_event(const WorkPlace& place, EventHandle event) {
  const auto found = events_.find(event);
  if (found != events_.end()) begin_after(place, found->second);
}

void WorkOrder::thread_hears_of_stream(std::uint64_t thread, int device, StreamHandle stream) {
  Track& track = track_of(device, stream);
  join_legacy(track);
  join(heard_[thread], track);
}

void WorkOrder::thread_hears_of_event(std::uint64_t thread, EventHandle event) {
  const auto found = events_.find(event);
  if (found != events_.end()) heard_[thread].before.merge(found->second);
}

void WorkOrder::thread_hears_of_device(std::uint64_t thread, int device) {
  for (auto& [key, track] : tracks_) {
    if (track.device == device) join(heard_[thread], track);
  }
}

void WorkOrder::thread_acts(std::uint64_t thread) {
  const auto found = heard_.find(thread);
  if (found == heard_.end()) return;
  host_.before.merge(found->second.before);
  heard_.erase(found);
}

void WorkOrder::forget_executable(GraphHandle executable) {
  const auto found = executables_.find(executable);
  if (found == executables_.end()) return;
  const std::vector<TimelineNumber>& branches = found->second.branches;
  dropped_branches_.insert(dropped_branches_.end(), branches.begin(), branches.end());
  executables_.erase(found);
}

void WorkOrder::assume_order(const Moment& earlier, TimelineNumber later) {
  ++counts_[earlier.timeline];
  const auto found = track_by_timeline_.find(later);
  if (found != track_by_timeline_.end()) found->second->before.add(earlier);
}

/// One launch. Branches are handed out in the order of the nodes, so that each launch of a graph uses the same ones.
struct WorkOrder::GraphWalk {
  struct Place {
    std::optional<Moment> moment = std::nullopt;  ///< absent for a node that is a graph
    VectorClock end = {};                         ///< of it and all before it
    bool is_continued = false;                    ///< a later node is on its branch
  };

  Executable& executable;
  const NodeVisitor& visit;
  std::size_t branches_in_use = 0;
  std::unordered_map<NodeHandle, Place> places = {};

  Place* find(NodeHandle node) {
    const auto found = places.find(node);
    return found == places.end() ? nullptr : &found->second;
  }
};

void WorkOrder::launch_graph(const GraphStart& start, const NodeVisitor& visit) {
  Track& track = queue_in(start.place);
  Executable& executable = executables_[start.executable];
  GraphWalk launch{executable, visit};
  VectorClock before = track.before;
  before.add(now_of(track.timeline));
  ++counts_[track.timeline];
  before.merge(executable.done);
  executable.done = walk(launch, start.graph, before);
  track.before.merge(executable.done);
}

VectorClock WorkOrder::walk(GraphWalk& launch, const OperationGraph& graph, const VectorClock& before) {
  VectorClock all = before;
  for (const GraphNode& node : graph.nodes) {
    VectorClock begin = before;
    for (const NodeHandle earlier : node.after) {
      if (const GraphWalk::Place* place = launch.find(earlier)) begin.merge(place->end);
    }
    walk_node(launch, node, begin);
    if (const GraphWalk::Place* place = launch.find(node.handle)) all.merge(place->end);
  }
  return all;
}

void WorkOrder::walk_node(GraphWalk& launch, const GraphNode& node, const VectorClock& before) {
  if (node.operation.kind == OperationKind::effect_only) {
    const GraphWalk::Place* work = node.after.empty() ? nullptr : launch.find(node.after.front());
    if (work != nullptr && work->moment) launch.visit(node, {*work->moment, before});
    return;
  }
  if (node.child != nullptr) {
    launch.places[node.handle].end = walk(launch, *node.child, before);
    return;
  }
  OrderPoint point{{}, before};
  if (node.operation.kind == OperationKind::event_wait) {
    if (const auto event = events_.find(node.operation.event); event != events_.end())
      point.before.merge(event->second);
  }
  const TimelineNumber branch = branch_for(launch, node);
  point.moment = {branch, ++counts_[branch]};
  launch.visit(node, point);
  GraphWalk::Place& place = launch.places[node.handle];
  place.moment = point.moment;
  place.end = point.before;
  place.end.add(point.moment);
  if (node.operation.kind == OperationKind::event_record) events_[node.operation.event] = place.end;
}

/// That of a node before it, where no other node has gone on there; else one more.
TimelineNumber WorkOrder::branch_for(GraphWalk& launch, const GraphNode& node) {
  for (const NodeHandle earlier : node.after) {
    GraphWalk::Place* place = launch.find(earlier);
    if (place == nullptr || !place->moment || place->is_continued) continue;
    place->is_continued = true;
    return place->moment->timeline;
  }
  std::vector<TimelineNumber>& branches = launch.executable.branches;
  if (launch.branches_in_use == branches.size()) branches.push_back(new_branch());
  return branches[launch.branches_in_use++];
}

}  // namespace stepgate::emulator
