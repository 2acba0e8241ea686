// The device models: what a real GPU of this kind says of itself, and what its work costs. LibTorch chooses kernels,
// workspaces and segments from these properties.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stepgate::emulator {

/// Rises with each change of a model or of the machine that changes a count or a byte. Baselines are kept by it.
inline constexpr int model_version = 1;

struct DeviceModel {
  std::string_view key;   ///< as a user names it: "h100"
  std::string_view name;  ///< as the driver names it
  int major = 0;          ///< compute capability
  int minor = 0;
  std::uint64_t memory_bytes = 0;
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  int blocks_per_multiprocessor = 0;
  std::uint64_t shared_bytes_per_multiprocessor = 0;
  std::uint64_t shared_bytes_per_block_optin = 0;
  std::uint64_t reserved_shared_bytes_per_block = 0;
  std::uint64_t l2_bytes = 0;
  std::uint64_t persisting_l2_bytes = 0;
  int clock_mhz = 0;  ///< highest of the multiprocessors
  int memory_clock_mhz = 0;
  int memory_bus_bits = 0;
  int copy_engines = 0;
  bool cluster_launch = false;  ///< blocks of a cluster share memory; since Hopper
  bool peer_links = false;      ///< NVLink between devices of one machine
  bool instances = false;       ///< MIG can split it
  int pcie_generation = 0;
  int power_limit_w = 0;
  int slowdown_celsius = 0;          ///< hardware slows down from here
  double bytes_per_ns = 0;           ///< of the device memory
  double flops_per_ns = 0;           ///< dense, of its tensor cores in half precision
  double pinned_bytes_per_ns = 0;    ///< of a copy from or to page-locked memory
  double pageable_bytes_per_ns = 0;  ///< of a copy from or to other host memory
  double peer_bytes_per_ns = 0;
};

/// All models, in the order in which help lists them.
std::span<const DeviceModel> device_models();

/// Nothing where no model has this key.
const DeviceModel* find_device_model(std::string_view key);

/// "h100, h200, a100, l4, t4".
std::string_view device_model_keys();

}  // namespace stepgate::emulator
