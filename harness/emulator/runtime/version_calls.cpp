// Versions of runtime and driver, and limits that a program may read.
#include <cuda_runtime_api.h>

#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_call.h"

using namespace stepgate::emulator;

extern "C" {

/// The driver is of the runtime's own version: the oldest that runs it without compatibility rules.
cudaError_t cudaDriverGetVersion(int* version) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDriverGetVersion_v3020, "cudaDriverGetVersion");
  if (version == nullptr) return call.end(Outcome::invalid_value);
  *version = CUDART_VERSION;
  return call.end(Outcome::ok);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaRuntimeGetVersion_v3020, "cudaRuntimeGetVersion");
  if (version == nullptr) return call.end(Outcome::invalid_value);
  *version = CUDART_VERSION;
  return call.end(Outcome::ok);
}

/// Defaults: CUDA C++ Programming Guide, "Formatted Output" and "Dynamic Global Memory Allocation". Setting a limit is
/// not modelled, so each still has its default.
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetLimit_v3020, "cudaDeviceGetLimit");
  if (value == nullptr) return call.end(Outcome::invalid_value);
  if (process_machine().devices() == 0) return call.end(Outcome::no_device);
  switch (limit) {
    case cudaLimitPrintfFifoSize:
      *value = std::size_t{1} << 20U;
      break;
    case cudaLimitMallocHeapSize:
      *value = std::size_t{8} << 20U;
      break;
    default:
      refuse("cudaDeviceGetLimit", "limits but those of printf and of the heap");
  }
  return call.end(Outcome::ok);
}
}
