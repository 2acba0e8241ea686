// Captures of streams into graphs.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"
#include "emulator/runtime/work/capture_modes.h"

namespace stepgate::emulator {
namespace {

/// What cudaStreamGetCaptureInfo() answers with pointers to: valid until the thread asks again.
struct CaptureTail {
  std::vector<cudaGraphNode_t> nodes;
  std::vector<cudaGraphEdgeData> edges;  ///< all zero: each waits for the whole of the node before it
};

const CaptureTail& kept_tail(const std::vector<NodeHandle>& handles) {
  thread_local CaptureTail tail;
  tail.nodes.clear();
  for (const NodeHandle handle : handles) tail.nodes.push_back(pointer_of<cudaGraphNode_t>(handle));
  tail.edges.assign(handles.size(), cudaGraphEdgeData{});
  return tail;
}

bool is_whole_wait(const cudaGraphEdgeData& edge) {
  return edge.from_port == cudaGraphKernelNodePortDefault && edge.to_port == 0 &&
         edge.type == cudaGraphDependencyTypeDefault;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode number) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamBeginCapture_v10000, "cudaStreamBeginCapture");
  const std::optional<CaptureMode> mode = capture_mode_of(number);
  if (!mode) return call.end(Outcome::invalid_value);
  return call.end(process_machine().begin_capture(call.caller(), handle_of(stream), *mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamEndCapture_v10000, "cudaStreamEndCapture");
  if (graph == nullptr) return call.end(Outcome::invalid_value);
  *graph = nullptr;  // of a capture that an error has ended
  return end_made(call, process_machine().end_capture(call.caller(), handle_of(stream)), graph);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000, "cudaStreamIsCapturing");
  if (status == nullptr) return call.end(Outcome::invalid_value);
  const CaptureFacts facts = process_machine().capture_facts(call.caller(), handle_of(stream));
  if (facts.outcome == Outcome::ok) *status = number_of(facts.status);
  return call.end(facts.outcome);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetCaptureInfo_v12030, "cudaStreamGetCaptureInfo");
  if (status == nullptr) return call.end(Outcome::invalid_value);
  const CaptureFacts facts = process_machine().capture_facts(call.caller(), handle_of(stream));
  if (facts.outcome != Outcome::ok) return call.end(facts.outcome);
  *status = number_of(facts.status);
  if (facts.status != CaptureStatus::active) return call.end(Outcome::ok);
  if (id != nullptr) *id = facts.capture;
  if (graph != nullptr) *graph = pointer_of<cudaGraph_t>(facts.graph);
  if (count != nullptr) *count = facts.tail.size();
  if (nodes == nullptr && edges == nullptr) return call.end(Outcome::ok);
  const CaptureTail& tail = kept_tail(facts.tail);
  if (nodes != nullptr) *nodes = tail.nodes.data();
  if (edges != nullptr) *edges = tail.edges.data();
  return call.end(Outcome::ok);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* edges, std::size_t count, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamUpdateCaptureDependencies_v12030,
                   "cudaStreamUpdateCaptureDependencies");
  const bool adds = flags == cudaStreamAddCaptureDependencies;
  if ((nodes == nullptr && count != 0) || (!adds && flags != cudaStreamSetCaptureDependencies)) {
    return call.end(Outcome::invalid_value);
  }
  if (edges != nullptr && !std::all_of(edges, edges + count, is_whole_wait)) {
    refuse("cudaStreamUpdateCaptureDependencies", "edges that wait for a part of a node");
  }
  std::vector<NodeHandle> tail;
  for (std::size_t at = 0; at < count; ++at) tail.push_back(handle_of(nodes[at]));
  return call.end(process_machine().set_capture_tail(call.caller(), handle_of(stream), std::move(tail), adds));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* number) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaThreadExchangeStreamCaptureMode_v10010,
                   "cudaThreadExchangeStreamCaptureMode");
  if (number == nullptr) return call.end(Outcome::invalid_value);
  const std::optional<CaptureMode> mode = capture_mode_of(*number);
  if (!mode) return call.end(Outcome::invalid_value);
  *number = number_of(thread_state().capture_mode);
  thread_state().capture_mode = *mode;
  return call.end(Outcome::ok);
}

}  // extern "C"
