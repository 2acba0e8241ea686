#include "emulator/model/block_occupancy.h"

#include <algorithm>
#include <array>

#include "emulator/model/device_constants.h"

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// The architectures of LibTorch's wheels for CUDA 13 on x86-64, as torch.cuda.get_arch_list() lists them.
constexpr std::array<int, 6> built_capabilities = {75, 80, 86, 90, 100, 120};

/// What one block takes of the shared memory of its multiprocessor.
std::uint64_t shared_bytes_of_block(const DeviceModel& model, std::uint64_t asked_bytes) {
  const std::uint64_t unit_bytes = model.major < 8 ? 256 : 128;
  return rounded_up(asked_bytes + model.reserved_shared_bytes_per_block, unit_bytes);
}

}  // namespace

int blocks_on_multiprocessor(const DeviceModel& model, int block_threads, std::uint64_t shared_bytes) {
  constexpr DeviceConstants limits = device_constants;
  if (block_threads < 1 || block_threads > limits.threads_per_block) return 0;
  if (shared_bytes > model.shared_bytes_per_block_optin) return 0;
  const auto warp = static_cast<std::uint64_t>(limits.warp_threads);
  const std::uint64_t threads = rounded_up(static_cast<std::uint64_t>(block_threads), warp);
  std::uint64_t blocks = static_cast<std::uint64_t>(model.blocks_per_multiprocessor);
  blocks = std::min(blocks, static_cast<std::uint64_t>(model.threads_per_multiprocessor) / threads);
  blocks = std::min(blocks, static_cast<std::uint64_t>(limits.registers) / (threads * assumed_registers));
  const std::uint64_t shared = shared_bytes_of_block(model, shared_bytes);
  if (shared > 0) blocks = std::min(blocks, model.shared_bytes_per_multiprocessor / shared);
  return static_cast<int>(blocks);
}

int code_capability(const DeviceModel& model) {
  const int device = model.major * 10 + model.minor;
  int found = device;
  for (const int built : built_capabilities) {
    if (built / 10 == model.major && built <= device) found = built;
  }
  return found;
}

}  // namespace stepgate::emulator
