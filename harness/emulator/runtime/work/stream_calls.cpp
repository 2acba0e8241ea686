// The runtime's streams.
#include <cuda_runtime_api.h>

#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"

namespace stepgate::emulator {
namespace {

/// What devices since Volta answer. Lower numbers go first.
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

/// A priority outside the range becomes the nearest one inside, as documented.
int in_range(int priority) {
  if (priority > least_priority) return least_priority;
  return priority < greatest_priority ? greatest_priority : priority;
}

cudaError_t make_stream(RuntimeCall& call, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) return call.end(Outcome::invalid_value);
  const StreamFlags wanted{.non_blocking = (flags & cudaStreamNonBlocking) != 0, .priority = in_range(priority)};
  return end_made(call, process_machine().create_stream(call.caller(), wanted), stream);
}

std::optional<StreamFacts> facts_of_stream(const RuntimeCall& call, cudaStream_t stream) {
  return process_machine().stream_facts(call.caller(), handle_of(stream));
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreate_v3020, "cudaStreamCreate");
  return make_stream(call, stream, cudaStreamDefault, least_priority);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreateWithFlags_v5000, "cudaStreamCreateWithFlags");
  return make_stream(call, stream, flags, least_priority);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreateWithPriority_v5050, "cudaStreamCreateWithPriority");
  return make_stream(call, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamDestroy_v5050, "cudaStreamDestroy");
  return call.end(process_machine().destroy_stream(call.caller(), handle_of(stream)));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020, "cudaStreamQuery");
  return call.end(process_machine().query_stream(call.caller(), handle_of(stream)));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, "cudaStreamSynchronize");
  return call.end(process_machine().synchronize_stream(call.caller(), handle_of(stream)));
}

cudaError_t cudaDeviceSynchronize() {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020, "cudaDeviceSynchronize");
  return call.end(process_machine().synchronize_device(call.caller()));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetPriority_v5050, "cudaStreamGetPriority");
  if (priority == nullptr) return call.end(Outcome::invalid_value);
  const std::optional<StreamFacts> facts = facts_of_stream(call, stream);
  if (!facts) return call.end(Outcome::invalid_handle);
  *priority = facts->flags.priority;
  return call.end(Outcome::ok);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetFlags_v5050, "cudaStreamGetFlags");
  if (flags == nullptr) return call.end(Outcome::invalid_value);
  const std::optional<StreamFacts> facts = facts_of_stream(call, stream);
  if (!facts) return call.end(Outcome::invalid_handle);
  *flags = facts->flags.non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
  return call.end(Outcome::ok);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetDevice_v12080, "cudaStreamGetDevice");
  if (device == nullptr) return call.end(Outcome::invalid_value);
  const std::optional<StreamFacts> facts = facts_of_stream(call, stream);
  if (!facts) return call.end(Outcome::invalid_handle);
  *device = facts->device;
  return call.end(Outcome::ok);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamGetId_v12000, "cudaStreamGetId");
  if (id == nullptr) return call.end(Outcome::invalid_value);
  const std::optional<StreamFacts> facts = facts_of_stream(call, stream);
  if (!facts) return call.end(Outcome::invalid_handle);
  *id = facts->number;
  return call.end(Outcome::ok);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetStreamPriorityRange_v5050, "cudaDeviceGetStreamPriorityRange");
  const EmulatedMachine& machine = process_machine();
  if (!machine.has_device(call.caller().device)) {
    return call.end(machine.devices() == 0 ? Outcome::no_device : Outcome::invalid_device);
  }
  if (least != nullptr) *least = least_priority;  // the documentation allows null for both
  if (greatest != nullptr) *greatest = greatest_priority;
  return call.end(Outcome::ok);
}

}  // extern "C"
