// How many blocks of a kernel one multiprocessor holds at a time.
#pragma once

#include <cstdint>

#include "emulator/model/device_model.h"

namespace stepgate::emulator {

/// Registers of a thread of any kernel. The code of kernels is not read. Own choice: 32 never limit the blocks of a
/// multiprocessor, so occupancy follows from threads and shared memory.
inline constexpr int assumed_registers = 32;

/// Rules: CUDA C++ Programming Guide, "Compute Capabilities". 0 where not one block fits.
int blocks_on_multiprocessor(const DeviceModel& model, int block_threads, std::uint64_t shared_bytes);

/// The capability of the code that runs on the device, as 10 * major + minor: the newest that LibTorch's libraries
/// contain for the device's major. Templates of CUB choose their policies by it.
int code_capability(const DeviceModel& model);

}  // namespace stepgate::emulator
