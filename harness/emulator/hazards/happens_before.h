// The order that a program has given its work: by streams, events, waits of the host, the legacy stream and graphs.
// What only happened to come first is not ordered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "emulator/hazards/vector_clock.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// A moment, and all that is ordered before it.
struct OrderPoint {
  Moment moment;
  VectorClock before;

  bool comes_after(const Moment& other) const { return other.timeline == moment.timeline || before.covers(other); }
};

/// All threads of the host are one timeline: how they order themselves is not seen, so it is taken as ordered.
/// Calls come one at a time.
class WorkOrder {
 public:
  WorkOrder();

  /// Work that the host queues in a stream now.
  OrderPoint work_in(const WorkPlace& place);
  /// What the host itself does now.
  OrderPoint host_now();

  void record_event(const WorkPlace& place, EventHandle event);
  void wait_event(const WorkPlace& place, EventHandle event);
  void forget_event(EventHandle event) { events_.erase(event); }

  /// A thread of the host hears that what is queued by now is over. Others need not have heard of it, so it orders
  /// nothing before that thread acts.
  void thread_hears_of_stream(std::uint64_t thread, int device, StreamHandle stream);
  void thread_hears_of_event(std::uint64_t thread, EventHandle event);
  /// With the streams that are gone.
  void thread_hears_of_device(std::uint64_t thread, int device);
  void thread_acts(std::uint64_t thread);

  /// All that is ordered before an instant of a stream, and that instant: for memory that another stream gets later.
  VectorClock end_of(const WorkPlace& place);
  void begin_after(const WorkPlace& place, const VectorClock& before);

  /// Called for each node in the order of the graph. A node that only tells accesses stands where the node before it
  /// does.
  using NodeVisitor = std::function<void(const GraphNode& node, const OrderPoint& point)>;
  void launch_graph(const GraphStart& start, const NodeVisitor& visit);
  /// Its branches are another graph's once the host has heard that all on them is over.
  void forget_executable(GraphHandle executable);

  /// From now on a later timeline counts as ordered after a moment of another one, so that one missing wait is found
  /// once.
  void assume_order(const Moment& earlier, TimelineNumber later);

  /// How many there are; each clock holds a number for each.
  std::size_t timelines() const { return counts_.size(); }

 private:
  struct Track {
    TimelineNumber timeline = 0;
    VectorClock before;
    int device = -1;  ///< -1: the host
    bool is_legacy = false;
    bool is_blocking = false;
  };
  struct Executable {
    std::vector<TimelineNumber> branches;
    VectorClock done;  ///< launches of one executable graph follow one another
  };
  struct GraphWalk;

  TimelineNumber new_timeline();
  TimelineNumber new_branch();
  Moment now_of(TimelineNumber timeline) const { return {timeline, counts_[timeline]}; }
  Track& track_of(int device, StreamHandle stream);
  Track& queue_in(const WorkPlace& place);
  void join(Track& to, Track& from);
  void join_legacy(Track& track);
  TimelineNumber branch_for(GraphWalk& launch, const GraphNode& node);
  void walk_node(GraphWalk& launch, const GraphNode& node, const VectorClock& before);
  VectorClock walk(GraphWalk& launch, const OperationGraph& graph, const VectorClock& before);

  std::vector<std::uint64_t> counts_;  ///< of each timeline
  std::map<std::pair<int, StreamHandle>, Track> tracks_;
  std::map<TimelineNumber, Track*> track_by_timeline_;
  Track host_;
  std::map<std::uint64_t, Track> heard_;  ///< by thread
  std::map<EventHandle, VectorClock> events_;
  std::map<GraphHandle, Executable> executables_;
  std::vector<TimelineNumber> dropped_branches_;  ///< of graphs that are gone
};

}  // namespace stepgate::emulator
