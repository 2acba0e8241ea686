// What a program asks about errors of its calls.
#include <cuda_runtime_api.h>

#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"
#include "emulator/runtime/runtime_call.h"

namespace stepgate::emulator {
namespace {

/// A fault of the device stays the thread's last error.
bool stays(const Caller& caller, cudaError_t error) {
  if (error == cudaSuccess || !process_machine().has_device(caller.device)) return false;
  return runtime_error_of(process_machine().device_outcome(caller.device)) == error;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaGetLastError() {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020, "cudaGetLastError");
  const cudaError_t error = call.end(static_cast<cudaError_t>(thread_state().last_error));
  if (!stays(call.caller(), error)) thread_state().last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020, "cudaPeekAtLastError");
  return call.end(static_cast<cudaError_t>(thread_state().last_error));
}

// These two need no machine, so a message about a failed one can use them.
const char* cudaGetErrorName(cudaError_t error) {
  const char* name = name_of_runtime_error(error);
  return name == nullptr ? text_of_runtime_error(error) : name;
}

const char* cudaGetErrorString(cudaError_t error) { return text_of_runtime_error(error); }
}
