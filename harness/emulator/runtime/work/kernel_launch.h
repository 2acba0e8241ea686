// One launch of a registered kernel: what the device allows, and what it costs.
#pragma once

#include <cuda_runtime_api.h>

#include "emulator/machine/machine_observer.h"
#include "emulator/runtime/runtime_call.h"

namespace stepgate::emulator {

struct KernelLaunch {
  LaunchedKernel kernel;
  dim3 grid;
  dim3 block;
  void** arguments = nullptr;
  std::size_t shared_bytes = 0;  ///< besides those that the kernel declares
  cudaStream_t stream = nullptr;
  bool is_cooperative = false;  ///< all blocks run at the same time
};

/// What the device says of the grid, the block and their shared memory before the kernel runs.
cudaError_t check_launch(const DeviceModel& model, const KernelLaunch& launch);

/// Gives the kernel to the machine and ends the call.
cudaError_t launch_kernel(RuntimeCall& call, const KernelLaunch& launch);

}  // namespace stepgate::emulator
