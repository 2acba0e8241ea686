// Graphs: operations and what each depends on, captured from streams and launched as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

struct OperationGraph;

struct GraphNode {
  NodeHandle handle = 0;
  Operation operation;
  std::vector<NodeHandle> after;
  std::shared_ptr<const OperationGraph> child = nullptr;  ///< of a node that is a graph
};

/// Nodes come in an order that all dependencies follow.
struct OperationGraph {
  GraphHandle handle = 0;
  std::vector<GraphNode> nodes;
};

/// A node as a reader of the graph sees it, without those that only carry values.
struct NodeFacts {
  NodeHandle handle = 0;
  OperationKind kind = OperationKind::empty;
  std::vector<NodeHandle> after;
};

/// The graphs of a machine and their executable copies. Calls come one at a time.
class GraphShelf {
 public:
  void add(std::shared_ptr<OperationGraph> graph);
  std::shared_ptr<OperationGraph> find(GraphHandle graph) const;
  bool remove(GraphHandle graph);
  /// A node of any graph; nullptr where there is none.
  const GraphNode* find_node(NodeHandle node) const;

  /// A copy that later changes of the graph leave alone.
  void add_executable(GraphHandle executable, const OperationGraph& graph);
  std::shared_ptr<const OperationGraph> find_executable(GraphHandle executable) const;
  bool remove_executable(GraphHandle executable);

  std::size_t graphs() const { return graphs_.size(); }
  std::size_t executables() const { return executables_.size(); }

 private:
  std::map<GraphHandle, std::shared_ptr<OperationGraph>> graphs_;
  std::map<GraphHandle, std::shared_ptr<const OperationGraph>> executables_;
};

std::vector<NodeFacts> facts_of(const OperationGraph& graph);
/// How many nodes facts_of() tells.
std::size_t nodes_in(const OperationGraph& graph);

}  // namespace stepgate::emulator
