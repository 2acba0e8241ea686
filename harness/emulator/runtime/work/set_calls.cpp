// The runtime's memsets.
#include <cuda_runtime_api.h>

#include "emulator/process/operator_rules.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"

namespace stepgate::emulator {
namespace {

/// As C's memset, each byte becomes the low byte of the value.
unsigned low_byte(int value) { return static_cast<unsigned>(value) & 0xFFU; }

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020, "cudaMemset");
  return call.end(process_machine().set(
      call.caller(),
      {.to = to, .value = low_byte(value), .bytes = bytes, .synchronous = true, .has_values = !is_in_operator()}));
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, "cudaMemsetAsync");
  return call.end(process_machine().set(call.caller(), {.to = to,
                                                        .value = low_byte(value),
                                                        .bytes = bytes,
                                                        .stream = handle_of(stream),
                                                        .has_values = !is_in_operator()}));
}

}  // extern "C"
