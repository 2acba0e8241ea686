// Marks for a profiler that records a part of a program. None is attached here, so they have nothing to do, as on a
// GPU. CUPTI's activities do not depend on them.
#include <cuda_runtime_api.h>

#include "emulator/runtime/runtime_call.h"

using stepgate::emulator::Outcome;
using stepgate::emulator::RuntimeCall;

// Declared as the toolkit's cuda_profiler_api.h does, which is not among the headers of LibTorch's wheels.
extern "C" {

cudaError_t cudaProfilerStart() {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStart_v4000, "cudaProfilerStart");
  return call.end(Outcome::ok);
}

cudaError_t cudaProfilerStop() {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000, "cudaProfilerStop");
  return call.end(Outcome::ok);
}
}
