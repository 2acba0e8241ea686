// CUDA_VISIBLE_DEVICES as CUDA reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "environment/gpu/gpu_offer.h"

namespace stepgate {

/// How CUDA counts GPUs.
struct GpuOrder {
  std::vector<Gpu> by_address;  ///< every GPU, in the order of PCI addresses
  std::string unknown = {};     ///< why an index says nothing; "" where indices count by address
};

/// `cuda_device_order`: CUDA_DEVICE_ORDER, "" where it is not set.
GpuOrder gpu_order(const std::vector<Gpu>& listed, std::string_view cuda_device_order);

/// What a process gets of `gpu`: all of it, or its only instance where MIG splits it. Absent where MIG splits it and
/// the driver lists no instance or several: CUDA offers instances only, never the GPU that they are parts of.
std::optional<ChosenGpu> part_of(const Gpu& gpu);

/// Why part_of() is absent.
std::string unknown_part(const Gpu& gpu);

/// Pure. `name` is the variable, for texts. Rules: CUDA C++ Programming Guide, "CUDA Environment Variables".
/// - Entries are indices, UUIDs or their unique beginnings ("GPU-8932f937"), "MIG-<uuid>" and
///   "MIG-<GPU UUID>/<gpu instance>/<compute instance>".
/// - The first entry that names no GPU ends the list. If it is also the first of all, the offer is wrong.
/// - "", "-1" and "NoDevFiles", which Slurm sets for a job without GPUs, offer none.
/// - A beginning that fits two GPUs, and a GPU named twice, are wrong: CUDA would offer nothing.
/// - A GPU that MIG splits stands for its only instance. If it has several, only CUDA knows which one is meant.
/// - A process sees one instance of MIG at most, so that an instance ends the list.
GpuOffer visible_devices(const GpuOrder& order, std::string_view name, std::string_view text);

/// "2,5" -> "2", "5", without blanks around them.
std::vector<std::string> entries_of(std::string_view list, char separator);

/// An index such as "12"; -1 for anything else.
std::int64_t index_from(std::string_view text);

}  // namespace stepgate
