// Whether this host can hold the emulated memory: what it promises, what its control group allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "emulator/model/machine_options.h"

namespace stepgate::emulator {

/// What the host says of its memory.
struct HostRoom {
  std::uint64_t memory_bytes = 0;                                   ///< of the machine
  std::optional<std::uint64_t> limit_bytes = std::nullopt;          ///< of the control group; absent where it has none
  int overcommit = 0;                                               ///< vm.overcommit_memory
  std::optional<std::uint64_t> address_limit_bytes = std::nullopt;  ///< ulimit -v
};

/// Reads /proc and /sys below `root`, which is "" on a real host.
HostRoom read_host_room(const std::string& root);

/// Why this host cannot emulate the devices of `options`, with figures and what to do; "" where it can. A device takes
/// address space of its size.
std::string lack_of_room(const MachineOptions& options, const HostRoom& room);

/// Why a program with values may not hold so many bytes, with figures and what to do; "" where it may. Own choice: half
/// of the memory, because the program, its data and a second rank need some, too.
std::string lack_of_memory(const HostRoom& room, std::uint64_t held_bytes);

}  // namespace stepgate::emulator
