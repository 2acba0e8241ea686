// Launches of kernels, and functions of the host in a stream.
#include <cuda_runtime_api.h>

#include <optional>
#include <string_view>

#include "emulator/process/host_functions.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/kernel_registry.h"
#include "emulator/runtime/runtime_call.h"
#include "emulator/runtime/runtime_handles.h"
#include "emulator/runtime/work/kernel_launch.h"
#include "emulator/runtime/work/launch_attributes.h"

namespace stepgate::emulator {
namespace {

/// A driver's thread wakes up for it. Own choice: as long as the shortest kernel.
constexpr std::int64_t host_function_ns = least_operation_ns;

/// What observers hear of a launch as it begins, and what it then gives the machine.
LaunchedKernel kernel_at(const void* host_function) {
  const std::optional<RegisteredKernel> kernel = kernel_of(host_function);
  return {kernel ? kernel->name : std::string_view()};
}

cudaError_t submit_host_function(RuntimeCall& call, cudaStream_t stream, Effect function) {
  Operation operation;
  operation.kind = OperationKind::host_function;
  operation.name = "host function";
  operation.cost_ns = host_function_ns;
  operation.effect = std::move(function);
  run_host_functions();
  return call.end(process_machine().submit(call.caller(), handle_of(stream), std::move(operation)));
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                             cudaStream_t stream) {
  const LaunchedKernel kernel = kernel_at(function);
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, "cudaLaunchKernel", kernel);
  return launch_kernel(call, {kernel, grid, block, arguments, shared_bytes, stream});
}

/// What the compiler of CUDA 13 makes of <<<>>>. It is declared in the toolkit's header for generated code, which is
/// not among those of LibTorch's wheels. A kernel's handle is the address of its host function.
cudaError_t __cudaLaunchKernel(cudaKernel_t handle, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                               cudaStream_t stream) {
  const LaunchedKernel kernel = kernel_at(handle);
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000, "__cudaLaunchKernel", kernel);
  return launch_kernel(call, {kernel, grid, block, arguments, shared_bytes, stream});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  const LaunchedKernel kernel = kernel_at(function);
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060, "cudaLaunchKernelExC", kernel);
  if (config == nullptr) return call.end(Outcome::invalid_value);
  KernelLaunch launch{kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream};
  const cudaError_t applied = apply_attributes(process_machine().model(), *config, launch);
  return applied == cudaSuccess ? launch_kernel(call, launch) : call.end(applied);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream) {
  const LaunchedKernel kernel = kernel_at(function);
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000, "cudaLaunchCooperativeKernel", kernel);
  return launch_kernel(call, {kernel, grid, block, arguments, shared_bytes, stream, true});
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaLaunchHostFunc_v10000, "cudaLaunchHostFunc");
  if (function == nullptr) return call.end(Outcome::invalid_value);
  return submit_host_function(call, stream, [function, data] { function(data); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaStreamAddCallback_v5000, "cudaStreamAddCallback");
  if (callback == nullptr || flags != 0) return call.end(Outcome::invalid_value);
  const CaptureFacts facts = process_machine().capture_facts(call.caller(), handle_of(stream));
  if (facts.outcome == Outcome::ok && facts.status != CaptureStatus::none) {
    // Not permitted in a capture. A question of the stream is not permitted either, so it gives the same outcome.
    return call.end(process_machine().query_stream(call.caller(), handle_of(stream)));
  }
  return submit_host_function(call, stream, [stream, callback, data] { callback(stream, cudaSuccess, data); });
}

}  // extern "C"
