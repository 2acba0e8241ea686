// Graphs: what they hold, their executable copies, their launches.
#include <cuda_runtime_api.h>

#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"

namespace stepgate::emulator {
namespace {

struct NodeTypeRow {
  OperationKind kind;
  cudaGraphNodeType type;
};

/// A collective is a kernel of its library.
constexpr NodeTypeRow node_type_rows[] = {
    {OperationKind::kernel, cudaGraphNodeTypeKernel},
    {OperationKind::copy, cudaGraphNodeTypeMemcpy},
    {OperationKind::memset, cudaGraphNodeTypeMemset},
    {OperationKind::host_function, cudaGraphNodeTypeHost},
    {OperationKind::collective, cudaGraphNodeTypeKernel},
    {OperationKind::event_record, cudaGraphNodeTypeEventRecord},
    {OperationKind::event_wait, cudaGraphNodeTypeWaitEvent},
    {OperationKind::empty, cudaGraphNodeTypeEmpty},
    {OperationKind::child_graph, cudaGraphNodeTypeGraph},
};

std::optional<cudaGraphNodeType> type_of(OperationKind kind) {
  for (const NodeTypeRow& row : node_type_rows) {
    if (row.kind == kind) return row.type;
  }
  return std::nullopt;
}

/// No node allocates here, so that there is nothing to free; priorities change no order of the machine.
constexpr unsigned long long modelled_graph_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;
constexpr unsigned long long known_graph_flags =
    modelled_graph_flags | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagDeviceLaunch;

cudaError_t instantiate(RuntimeCall& call, cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  if (executable == nullptr || graph == nullptr || (flags & ~known_graph_flags) != 0) {
    return call.end(Outcome::invalid_value);
  }
  if ((flags & ~modelled_graph_flags) != 0) refuse(call.caller().function, "an upload, or launches by the device");
  return end_made(call, process_machine().instantiate(handle_of(graph)), executable);
}

/// A list as the runtime gives it: `nodes` may be null to ask for the number, and has room for *count otherwise. Places
/// that are left over become null.
void give_nodes(const std::vector<NodeHandle>& handles, cudaGraphNode_t* nodes, std::size_t* count) {
  if (nodes == nullptr) {
    *count = handles.size();
    return;
  }
  std::size_t given = 0;
  for (std::size_t at = 0; at < *count; ++at) {
    nodes[at] = at < handles.size() ? pointer_of<cudaGraphNode_t>(handles[at]) : nullptr;
    if (at < handles.size()) ++given;
  }
  *count = given;
}

/// The machine shows the nodes of a graph when its capture has ended.
NodeFacts facts_or_refuse(const char* function, cudaGraphNode_t node) {
  const std::optional<NodeFacts> facts = process_machine().node_facts(handle_of(node));
  if (!facts) refuse(function, "a node of a graph that is destroyed or still captured");
  return *facts;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphCreate_v10000, "cudaGraphCreate");
  if (graph == nullptr || flags != 0) return call.end(Outcome::invalid_value);
  return end_made(call, process_machine().create_graph(), graph);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiate_v12000, "cudaGraphInstantiate");
  return instantiate(call, executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiateWithFlags_v11040, "cudaGraphInstantiateWithFlags");
  return instantiate(call, executable, graph, flags);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, "cudaGraphLaunch");
  return call.end(process_machine().launch_graph(call.caller(), handle_of(executable), handle_of(stream)));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphDestroy_v10000, "cudaGraphDestroy");
  return call.end(process_machine().destroy_graph(handle_of(graph)));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphExecDestroy_v10000, "cudaGraphExecDestroy");
  return call.end(process_machine().destroy_executable(handle_of(executable)));
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphGetNodes_v10000, "cudaGraphGetNodes");
  if (graph == nullptr || count == nullptr) return call.end(Outcome::invalid_value);
  const auto facts = process_machine().nodes_of(handle_of(graph));
  if (!facts) refuse("cudaGraphGetNodes", "a graph that is destroyed or still captured");
  std::vector<NodeHandle> handles;
  for (const NodeFacts& node : *facts) handles.push_back(node.handle);
  give_nodes(handles, nodes, count);
  return call.end(Outcome::ok);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphNodeGetType_v10000, "cudaGraphNodeGetType");
  if (node == nullptr || type == nullptr) return call.end(Outcome::invalid_value);
  const NodeFacts facts = facts_or_refuse("cudaGraphNodeGetType", node);
  const std::optional<cudaGraphNodeType> found = type_of(facts.kind);
  if (!found) return call.end(Outcome::invalid_value);  // values are nodes of the machine only
  *type = *found;
  return call.end(Outcome::ok);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                         std::size_t* count) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGraphNodeGetDependencies_v12030, "cudaGraphNodeGetDependencies");
  if (node == nullptr || count == nullptr || (nodes == nullptr && edges != nullptr)) {
    return call.end(Outcome::invalid_value);
  }
  const NodeFacts facts = facts_or_refuse("cudaGraphNodeGetDependencies", node);
  give_nodes(facts.after, nodes, count);
  for (std::size_t at = 0; edges != nullptr && at < *count; ++at) edges[at] = cudaGraphEdgeData{};
  return call.end(Outcome::ok);
}

}  // extern "C"
