// What the compiler of CUDA puts into a program: each library registers its kernels and variables when it is loaded,
// and <<<>>> becomes a pair of calls that keep and take its configuration.
#include <cuda_runtime_api.h>

#include "emulator/process/thread_state.h"
#include "emulator/runtime/kernel_registry.h"
#include "emulator/runtime/runtime_call.h"

namespace stepgate::emulator {
namespace {

Extent extent_of(const dim3& size) { return {size.x, size.y, size.z}; }
dim3 dim3_of(const Extent& extent) { return {extent.x, extent.y, extent.z}; }

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

// Declared as in the toolkit's header for generated code, which is not among those of LibTorch's wheels.
extern "C" {

/// The handle only has to be the library's own. The code in the image is never read.
void** __cudaRegisterFatBinary(void* /*image*/) { return new void*(nullptr); }

void __cudaRegisterFatBinaryEnd(void** /*library*/) {}

void __cudaUnregisterFatBinary(void** library) { delete library; }

char __cudaInitModule(void** /*library*/) { return 1; }

void __cudaRegisterFunction(void** /*library*/, const char* host_function, char* /*device_function*/, const char* name,
                            int /*thread_limit*/, uint3* /*thread*/, uint3* /*block*/, dim3* /*block_size*/,
                            dim3* /*grid_size*/, int* /*warp_size*/) {
  add_kernel(host_function, name);
}

/// Calls that would use a variable are refused, so nobody asks for one.
void __cudaRegisterVar(void** /*library*/, char* /*host_variable*/, char* /*device_address*/, const char* /*name*/,
                       int /*external*/, std::size_t /*bytes*/, int /*constant*/, int /*global*/) {}

/// A kernel's handle is the address of its host function, so that kernel_of() knows both.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID___cudaGetKernel_v13000, "__cudaGetKernel");
  if (kernel == nullptr) return call.end(Outcome::invalid_value);
  if (!kernel_of(host_function)) return call.end(cudaErrorInvalidDeviceFunction);
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host_function));
  return call.end(Outcome::ok);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, struct CUstream_st* stream) {
  thread_state().configurations.push_back(
      {.grid = extent_of(grid),
       .block = extent_of(block),
       .shared_bytes = shared_bytes,
       .stream = static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream))});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes, void* stream) {
  auto& configurations = thread_state().configurations;
  if (configurations.empty()) {
    thread_state().last_error = cudaErrorMissingConfiguration;
    return cudaErrorMissingConfiguration;
  }
  const LaunchConfiguration kept = configurations.back();
  configurations.pop_back();
  *grid = dim3_of(kept.grid);
  *block = dim3_of(kept.block);
  *shared_bytes = kept.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = reinterpret_cast<cudaStream_t>(static_cast<std::uintptr_t>(kept.stream));
  return cudaSuccess;
}
}
