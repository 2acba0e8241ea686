// What an operation costs on a device, in nanoseconds of the machine's clock. The figures order work and give tests of
// times a device of known cost. They say nothing about a real GPU.
#pragma once

#include <cstdint>

#include "emulator/model/device_model.h"

namespace stepgate::emulator {

/// Where the bytes of a copy come from and go to.
enum class CopyDirection { host_to_device, device_to_host, device_to_device, peer, host_to_host };

/// The least time of any operation on a device. Own choice: a launch of an empty kernel takes about 2 us on every
/// model.
inline constexpr std::int64_t least_operation_ns = 2000;

/// A kernel of `threads` threads that each read and write 32 bytes (own choice).
std::int64_t kernel_ns(const DeviceModel& model, std::uint64_t threads);
/// A kernel of a math library that computes `flops` and moves `bytes`: the longer of both.
std::int64_t product_ns(const DeviceModel& model, double flops, double bytes);
std::int64_t memset_ns(const DeviceModel& model, std::uint64_t bytes);
std::int64_t copy_ns(const DeviceModel& model, CopyDirection direction, std::uint64_t bytes, bool pageable);
/// A collective in which each device sends and receives `bytes`.
std::int64_t collective_ns(const DeviceModel& model, std::uint64_t bytes);
/// A wait of so many cycles of a multiprocessor.
std::int64_t cycles_ns(const DeviceModel& model, std::int64_t cycles);

}  // namespace stepgate::emulator
