// Captures and graphs of the machine.
#include <algorithm>
#include <unordered_map>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {

Outcome EmulatedMachine::add_node(StreamState& stream, Operation operation,
                                  std::shared_ptr<const OperationGraph> child) {
  return captures_.add(stream, {next_handle(), std::move(operation), {}, std::move(child)});
}

Outcome EmulatedMachine::begin_capture(const Caller& caller, StreamHandle handle, CaptureMode mode) {
  const Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  return captures_.begin(capture_caller(caller), *stream, mode, next_handle());
}

Made EmulatedMachine::end_capture(const Caller& caller, StreamHandle handle) {
  const Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return {Outcome::invalid_handle};
  const CapturedGraph captured = captures_.end(capture_caller(caller), *stream);
  if (captured.outcome != Outcome::ok) return {captured.outcome};
  graphs_.add(captured.graph);
  return {Outcome::ok, captured.graph->handle};
}

CaptureFacts EmulatedMachine::capture_facts(const Caller& caller, StreamHandle handle) {
  const Lock lock(mutex_);
  const StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return {Outcome::invalid_handle};
  if (stream->handle == legacy_stream && captures_.is_legacy_captured(stream->device)) {
    return {Outcome::capture_implicit};
  }
  return {Outcome::ok, captures_.status(*stream), stream->capture, stream->capture, stream->tail};
}

Outcome EmulatedMachine::set_capture_tail(const Caller& caller, StreamHandle handle, std::vector<NodeHandle> tail,
                                          bool add) {
  const Lock lock(mutex_);
  StreamState* stream = stream_of(caller, handle);
  if (stream == nullptr) return Outcome::invalid_handle;
  const Capture* capture = captures_.find(stream->capture);
  if (capture == nullptr) return Outcome::illegal_state;
  if (capture->is_invalid) return Outcome::capture_invalidated;
  const std::vector<GraphNode>& nodes = capture->graph->nodes;
  for (const NodeHandle node : tail) {
    const bool is_known =
        std::any_of(nodes.begin(), nodes.end(), [&](const GraphNode& one) { return one.handle == node; });
    if (!is_known) return Outcome::invalid_value;
  }
  if (!add) stream->tail.clear();
  return captures_.depend(*stream, stream->capture, tail);
}

Made EmulatedMachine::create_graph() {
  const Lock lock(mutex_);
  auto graph = std::make_shared<OperationGraph>();
  graph->handle = next_handle();
  graphs_.add(graph);
  return {Outcome::ok, graph->handle};
}

Made EmulatedMachine::instantiate(GraphHandle handle) {
  const Lock lock(mutex_);
  const std::shared_ptr<const OperationGraph> graph = graphs_.find(handle);
  if (graph == nullptr) return {Outcome::invalid_handle};
  const GraphHandle executable = next_handle();
  graphs_.add_executable(executable, *graph);
  return {Outcome::ok, executable};
}

Outcome EmulatedMachine::launch_graph(const Caller& caller, GraphHandle executable, StreamHandle handle) {
  Lock lock(mutex_);
  const std::shared_ptr<const OperationGraph> graph = graphs_.find_executable(executable);
  StreamState* stream = stream_of(caller, handle);
  if (graph == nullptr || stream == nullptr) return Outcome::invalid_handle;
  if (const Outcome admitted = admit(*stream); admitted != Outcome::ok) return admitted;
  if (stream->capture != 0) return add_node(*stream, {.kind = OperationKind::child_graph}, graph);
  spend_on_work(caller);
  ++operations_[stream->device];
  // Launches of one executable graph follow one another.
  const std::int64_t begin_ns =
      std::max(timeline_.begin_ns(*stream, clock_->now_ns()), executable_ready_ns_[executable]);
  const std::size_t nodes = nodes_in(*graph);
  for (MachineObserver* observer : observers_) {
    observer->launched_graph(graph->handle, nodes);
    observer->began_graph({place_of_work(*stream), executable, *graph});
  }
  const Launch launch{stream->device, stream->handle, stream->number, graph->handle, caller.correlation, begin_ns};
  const std::int64_t end_ns = launch_nodes(lock, launch, *graph);
  StreamState* still = stream_of(caller, handle);
  if (still == nullptr) return Outcome::invalid_handle;  // destroyed while ranks met
  timeline_.hold_until(*still, end_ns);
  still->queued_ends_ns.push_back(end_ns);
  if (graphs_.find_executable(executable) != nullptr) executable_ready_ns_[executable] = end_ns;
  leave_room(lock, *still);
  return Outcome::ok;
}

std::int64_t EmulatedMachine::launch_nodes(Lock& lock, const Launch& launch, const OperationGraph& graph) {
  std::unordered_map<NodeHandle, std::int64_t> ends_ns;
  std::int64_t last_ns = launch.begin_ns;
  for (const GraphNode& node : graph.nodes) {
    Launch of_node = launch;
    for (const NodeHandle before : node.after) of_node.begin_ns = std::max(of_node.begin_ns, ends_ns[before]);
    const std::int64_t end_ns = launch_node(lock, of_node, node);
    ends_ns[node.handle] = end_ns;
    last_ns = std::max(last_ns, end_ns);
  }
  return last_ns;
}

std::int64_t EmulatedMachine::launch_node(Lock& lock, const Launch& launch, const GraphNode& node) {
  if (node.child != nullptr) return launch_nodes(lock, launch, *node.child);
  const Operation& operation = node.operation;
  if (operation.kind == OperationKind::effect_only) {
    effects_.add(launch.begin_ns, operation.effect);
    return launch.begin_ns;
  }
  Slot slot{launch.begin_ns, launch.begin_ns};
  EventState* event = operation.event == 0 ? nullptr : event_of(operation.event);
  if (operation.kind == OperationKind::event_wait && event != nullptr && event->is_recorded) {
    slot.begin_ns = slot.end_ns = std::max(launch.begin_ns, event->at_ns);
  } else if (operation.kind == OperationKind::event_record && event != nullptr) {
    event->is_recorded = true;
    event->capture = 0;
    event->at_ns = launch.begin_ns;
  } else if (operation.meet) {
    slot.end_ns = meet(lock, operation, launch.begin_ns);
  } else {
    slot = timeline_.plan_node(launch.device, operation, launch.begin_ns);
  }
  ++operations_[launch.device];
  tell_planned({operation, launch.device, launch.stream, launch.stream_number, slot.begin_ns, slot.end_ns,
                launch.correlation, launch.graph, node.handle});
  effects_.add(slot.end_ns, operation.effect, effect_kind_of(operation));
  return slot.end_ns;
}

Outcome EmulatedMachine::destroy_graph(GraphHandle graph) {
  const Lock lock(mutex_);
  return graphs_.remove(graph) ? Outcome::ok : Outcome::invalid_handle;
}

Outcome EmulatedMachine::destroy_executable(GraphHandle executable) {
  const Lock lock(mutex_);
  executable_ready_ns_.erase(executable);
  for (MachineObserver* observer : observers_) observer->dropped_executable(executable);
  return graphs_.remove_executable(executable) ? Outcome::ok : Outcome::invalid_handle;
}

std::optional<std::vector<NodeFacts>> EmulatedMachine::nodes_of(GraphHandle handle) const {
  const Lock lock(mutex_);
  const std::shared_ptr<const OperationGraph> graph = graphs_.find(handle);
  if (graph == nullptr) return std::nullopt;
  return facts_of(*graph);
}

std::optional<NodeFacts> EmulatedMachine::node_facts(NodeHandle node) const {
  const Lock lock(mutex_);
  const GraphNode* found = graphs_.find_node(node);
  if (found == nullptr) return std::nullopt;
  return NodeFacts{found->handle, found->operation.kind, found->after};
}

}  // namespace stepgate::emulator
