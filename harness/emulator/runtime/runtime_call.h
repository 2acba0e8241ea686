// A call of the CUDA runtime: its scope, and the error that the thread keeps.
#pragma once

#include <cupti_runtime_cbid.h>
#include <driver_types.h>

#include "emulator/process/api_scope.h"
#include "emulator/runtime/cuda_outcomes.h"

namespace stepgate::emulator {

/// Use: `RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamCreate_v3020, "cudaStreamCreate");` ... `return
/// call.end(machine.create_stream(call.caller(), flags).outcome);`
class RuntimeCall {
 public:
  RuntimeCall(CUpti_runtime_api_trace_cbid id, const char* name, const void* parameters = nullptr)
      : scope_(ApiDomain::runtime, static_cast<unsigned>(id), name, parameters) {}
  /// Of a launch.
  RuntimeCall(CUpti_runtime_api_trace_cbid id, const char* name, const LaunchedKernel& kernel)
      : scope_(ApiDomain::runtime, static_cast<unsigned>(id), name, kernel) {}
  /// Of a function without a callback.
  explicit RuntimeCall(const char* name) : scope_(ApiDomain::runtime, 0, name) {}

  const Caller& caller() const { return scope_.caller(); }
  /// Keeps an error, but not_ready, as the thread's last one.
  cudaError_t end(Outcome outcome) { return end(runtime_error_of(outcome)); }
  cudaError_t end(cudaError_t error);

 private:
  ApiScope scope_;
};

}  // namespace stepgate::emulator
