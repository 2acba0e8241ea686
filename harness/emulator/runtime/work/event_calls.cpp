// The runtime's events.
#include <cuda_runtime_api.h>

#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"

namespace stepgate::emulator {
namespace {

constexpr unsigned known_event_flags = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

/// An event between processes is an event like others until a process asks for its handle, which is refused there. How
/// a wait passes its time does not matter here.
bool are_event_flags(unsigned flags) {
  const bool has_timing = (flags & cudaEventDisableTiming) == 0;
  const bool is_shared = (flags & cudaEventInterprocess) != 0;
  return (flags & ~known_event_flags) == 0 && !(is_shared && has_timing);
}

cudaError_t make_event(RuntimeCall& call, cudaEvent_t* event, unsigned flags) {
  if (event == nullptr || !are_event_flags(flags)) return call.end(Outcome::invalid_value);
  const EventFlags wanted{.timing = (flags & cudaEventDisableTiming) == 0};
  return end_made(call, process_machine().create_event(call.caller(), wanted), event);
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventCreate_v3020, "cudaEventCreate");
  return make_event(call, event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventCreateWithFlags_v3020, "cudaEventCreateWithFlags");
  return make_event(call, event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventDestroy_v3020, "cudaEventDestroy");
  return call.end(process_machine().destroy_event(handle_of(event)));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, "cudaEventRecord");
  return call.end(process_machine().record_event(call.caller(), handle_of(event), handle_of(stream)));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecordWithFlags_v11010, "cudaEventRecordWithFlags");
  if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return call.end(Outcome::invalid_value);
  const bool is_external = flags == cudaEventRecordExternal;
  return call.end(process_machine().record_event(call.caller(), handle_of(event), handle_of(stream), is_external));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020, "cudaStreamWaitEvent");
  if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return call.end(Outcome::invalid_value);
  const bool is_external = flags == cudaEventWaitExternal;
  return call.end(process_machine().wait_event(call.caller(), handle_of(stream), handle_of(event), is_external));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020, "cudaEventQuery");
  return call.end(process_machine().query_event(call.caller(), handle_of(event)));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventSynchronize_v3020, "cudaEventSynchronize");
  return call.end(process_machine().synchronize_event(call.caller(), handle_of(event)));
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaEventElapsedTime_v12080, "cudaEventElapsedTime");
  if (ms == nullptr) return call.end(Outcome::invalid_value);
  const Elapsed elapsed = process_machine().elapsed(handle_of(begin), handle_of(end));
  if (elapsed.outcome == Outcome::ok) *ms = static_cast<float>(elapsed.ms);
  return call.end(elapsed.outcome);
}

}  // extern "C"
