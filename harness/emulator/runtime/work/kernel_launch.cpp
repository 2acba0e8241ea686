#include "emulator/runtime/work/kernel_launch.h"

#include <cstring>
#include <string_view>

#include "emulator/model/block_occupancy.h"
#include "emulator/model/device_constants.h"
#include "emulator/process/operator_rules.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/runtime_handles.h"

namespace stepgate::emulator {
namespace {

struct Limits {
  std::uint64_t x, y, z;
};

constexpr Limits block_limits = {device_constants.threads_per_block, device_constants.threads_per_block,
                                 device_constants.block_z};
constexpr Limits grid_limits = {device_constants.grid_x, device_constants.grid_yz, device_constants.grid_yz};

bool lies_within(const dim3& size, const Limits& limits) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limits.x && size.y <= limits.y && size.z <= limits.z;
}

std::uint64_t volume_of(const dim3& size) { return static_cast<std::uint64_t>(size.x) * size.y * size.z; }

/// Whether all blocks run at the same time.
bool fits_at_once(const DeviceModel& model, const KernelLaunch& launch) {
  const int block_threads = static_cast<int>(volume_of(launch.block));
  const int blocks = model.multiprocessors * blocks_on_multiprocessor(model, block_threads, launch.shared_bytes);
  return volume_of(launch.grid) <= static_cast<std::uint64_t>(blocks);
}

/// The kernel of at::cuda::sleep(), by a part of its mangled name. Its argument is a number of cycles.
constexpr std::string_view sleeping_kernel = "11spin_kernel";

std::int64_t cost_of(const DeviceModel& model, std::string_view name, const KernelLaunch& launch) {
  const bool sleeps = name.find(sleeping_kernel) != std::string_view::npos;
  if (sleeps && launch.arguments != nullptr) {
    std::int64_t cycles = 0;
    std::memcpy(&cycles, launch.arguments[0], sizeof cycles);
    return cycles_ns(model, cycles);
  }
  return kernel_ns(model, volume_of(launch.grid) * volume_of(launch.block));
}

}  // namespace

cudaError_t check_launch(const DeviceModel& model, const KernelLaunch& launch) {
  if (!lies_within(launch.grid, grid_limits) || !lies_within(launch.block, block_limits)) {
    return cudaErrorInvalidConfiguration;
  }
  if (volume_of(launch.block) > block_limits.x) return cudaErrorInvalidConfiguration;
  // A kernel may use more than 48 KiB only when the program has asked for it. That is not checked here.
  if (launch.shared_bytes > model.shared_bytes_per_block_optin) return cudaErrorInvalidValue;
  if (launch.is_cooperative && !fits_at_once(model, launch)) return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

cudaError_t launch_kernel(RuntimeCall& call, const KernelLaunch& launch) {
  const std::string_view name = launch.kernel.name;
  if (name.empty()) return call.end(cudaErrorInvalidDeviceFunction);
  EmulatedMachine& machine = process_machine();
  const DeviceModel& model = machine.model();
  if (const cudaError_t checked = check_launch(model, launch); checked != cudaSuccess) return call.end(checked);
  check_kernel(machine.options().mode, name);
  Operation operation;
  operation.kind = OperationKind::kernel;
  operation.name = name;
  operation.cost_ns = cost_of(model, name, launch);
  operation.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  operation.block = {launch.block.x, launch.block.y, launch.block.z};
  operation.shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes);
  return call.end(machine.submit(call.caller(), handle_of(launch.stream), std::move(operation)));
}

}  // namespace stepgate::emulator
