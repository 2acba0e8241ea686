#include "emulator/work/operation_graph.h"

#include <algorithm>
#include <utility>

namespace stepgate::emulator {

void GraphShelf::add(std::shared_ptr<OperationGraph> graph) {
  const GraphHandle handle = graph->handle;
  graphs_[handle] = std::move(graph);
}

std::shared_ptr<OperationGraph> GraphShelf::find(GraphHandle graph) const {
  const auto found = graphs_.find(graph);
  return found == graphs_.end() ? nullptr : found->second;
}

bool GraphShelf::remove(GraphHandle graph) { return graphs_.erase(graph) == 1; }

const GraphNode* GraphShelf::find_node(NodeHandle node) const {
  for (const auto& [handle, graph] : graphs_) {
    for (const GraphNode& one : graph->nodes) {
      if (one.handle == node) return &one;
    }
  }
  return nullptr;
}

void GraphShelf::add_executable(GraphHandle executable, const OperationGraph& graph) {
  executables_[executable] = std::make_shared<const OperationGraph>(graph);
}

std::shared_ptr<const OperationGraph> GraphShelf::find_executable(GraphHandle executable) const {
  const auto found = executables_.find(executable);
  return found == executables_.end() ? nullptr : found->second;
}

bool GraphShelf::remove_executable(GraphHandle executable) { return executables_.erase(executable) == 1; }

std::vector<NodeFacts> facts_of(const OperationGraph& graph) {
  std::vector<NodeFacts> facts;
  for (const GraphNode& node : graph.nodes) {
    if (node.operation.kind == OperationKind::effect_only) continue;
    facts.push_back({node.handle, node.operation.kind, node.after});
  }
  return facts;
}

std::size_t nodes_in(const OperationGraph& graph) {
  const auto count = std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const GraphNode& node) {
    return node.operation.kind != OperationKind::effect_only;
  });
  return static_cast<std::size_t>(count);
}

}  // namespace stepgate::emulator
