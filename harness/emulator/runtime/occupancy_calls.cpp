// Attributes of kernels, and how many of their blocks a multiprocessor holds.
#include <cuda_runtime_api.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/model/block_occupancy.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/device_properties.h"
#include "emulator/runtime/kernel_registry.h"
#include "emulator/runtime/runtime_call.h"

namespace stepgate::emulator {
namespace {

/// What a program has set of a kernel on a device.
struct KernelSettings {
  int dynamic_shared_bytes = device_constants.shared_bytes_per_block;
  int shared_percent = cudaSharedmemCarveoutDefault;
  int large_cluster = 0;
};

struct SettingsOfKernels {
  std::mutex mutex;
  std::map<std::pair<int, const void*>, KernelSettings> all;
};

SettingsOfKernels& settings() {
  static SettingsOfKernels& made = *new SettingsOfKernels;
  return made;
}

KernelSettings settings_of(int device, const void* kernel) {
  const std::lock_guard<std::mutex> lock(settings().mutex);
  const auto found = settings().all.find({device, kernel});
  return found == settings().all.end() ? KernelSettings{} : found->second;
}

cudaError_t check_kernel(const Caller& caller, const void* kernel) {
  if (!process_machine().has_device(caller.device)) return cudaErrorNoDevice;
  return kernel_of(kernel) ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

/// A kernel's static shared memory and stack are in its code, which is not read: they are 0 here. LibTorch asks for the
/// version of the code and for the limit that it set itself.
cudaFuncAttributes attributes_of(const KernelSettings& set) {
  cudaFuncAttributes made;
  std::memset(&made, 0, sizeof made);
  made.maxThreadsPerBlock = device_constants.threads_per_block;
  made.numRegs = assumed_registers;
  made.ptxVersion = made.binaryVersion = code_capability(process_machine().model());
  made.maxDynamicSharedSizeBytes = set.dynamic_shared_bytes;
  made.preferredShmemCarveout = set.shared_percent;
  made.nonPortableClusterSizeAllowed = set.large_cluster;
  return made;
}

Outcome set_dynamic_shared(KernelSettings& set, int bytes) {
  const auto most = static_cast<int>(process_machine().model().shared_bytes_per_block_optin);
  if (bytes < 0 || bytes > most) return Outcome::invalid_value;
  set.dynamic_shared_bytes = bytes;
  return Outcome::ok;
}

Outcome set_attribute(KernelSettings& set, cudaFuncAttribute attribute, int value) {
  constexpr int whole_percent = 100;
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      return set_dynamic_shared(set, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < cudaSharedmemCarveoutDefault || value > whole_percent) return Outcome::invalid_value;
      set.shared_percent = value;  // a hint
      return Outcome::ok;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      if (value != 0 && value != 1) return Outcome::invalid_value;
      if (!process_machine().model().cluster_launch) return Outcome::not_supported;
      set.large_cluster = value;
      return Outcome::ok;
    default:
      refuse("cudaFuncSetAttribute", "attribute " + std::to_string(static_cast<int>(attribute)));
  }
}

struct OccupancyQuestion {
  const void* kernel = nullptr;
  int block_threads = 0;
  std::size_t shared_bytes = 0;
};

cudaError_t answer(const Caller& caller, const OccupancyQuestion& asked, int* blocks) {
  if (blocks == nullptr || asked.block_threads < 1) return cudaErrorInvalidValue;
  if (const cudaError_t error = check_kernel(caller, asked.kernel); error != cudaSuccess) return error;
  *blocks = blocks_on_multiprocessor(process_machine().model(), asked.block_threads, asked.shared_bytes);
  return cudaSuccess;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaFuncGetAttributes_v3020, "cudaFuncGetAttributes");
  if (attributes == nullptr) return call.end(Outcome::invalid_value);
  if (const cudaError_t error = check_kernel(call.caller(), kernel); error != cudaSuccess) return call.end(error);
  *attributes = attributes_of(settings_of(call.caller().device, kernel));
  return call.end(Outcome::ok);
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaFuncSetAttribute_v9000, "cudaFuncSetAttribute");
  if (const cudaError_t error = check_kernel(call.caller(), kernel); error != cudaSuccess) return call.end(error);
  const std::lock_guard<std::mutex> lock(settings().mutex);
  KernelSettings& set = settings().all[{call.caller().device, kernel}];
  return call.end(set_attribute(set, attribute, value));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block_threads,
                                                          std::size_t shared_bytes) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaOccupancyMaxActiveBlocksPerMultiprocessor_v6050,
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return call.end(answer(call.caller(), {kernel, block_threads, shared_bytes}, blocks));
}

/// The flag is about caching in L1 on devices where that costs occupancy; it costs none on these.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block_threads,
                                                                   std::size_t shared_bytes, unsigned flags) {
  RuntimeCall call(CUPTI_RUNTIME_TRACE_CBID_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000,
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
  if (flags != cudaOccupancyDefault && flags != cudaOccupancyDisableCachingOverride) {
    return call.end(Outcome::invalid_value);
  }
  return call.end(answer(call.caller(), {kernel, block_threads, shared_bytes}, blocks));
}
}
