// The memory of all devices: blocks, what is free, which block holds an address.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "emulator/model/outcome.h"

namespace stepgate::emulator {

enum class MemoryKind {
  device,
  managed,
  pinned,      ///< host memory that the machine gave
  registered,  ///< host memory of the program
  mapped,      ///< device memory in a mapped range
  pooled,      ///< device memory of a pool
};

/// What a driver and a runtime take of each device before a program allocates anything. Own choice; real ones take 300
/// to 600 MiB, by driver and model.
inline constexpr std::uint64_t context_bytes = 520ULL << 20U;

struct MemoryBlock {
  void* address = nullptr;
  std::uint64_t bytes = 0;  ///< in whole device pages where it is device memory
  std::uint64_t asked_bytes = 0;
  int device = 0;
  MemoryKind kind = MemoryKind::device;
  std::uintptr_t range = 0;  ///< of mapped memory: where its reserved range begins
  bool has_access = true;    ///< of mapped memory: whether its device was allowed to use it
};

struct Allocated {
  Outcome outcome = Outcome::ok;
  void* address = nullptr;
};

struct MemoryInfo {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

/// Calls come one at a time: the machine has the lock.
class DeviceMemory {
 public:
  /// `bytes_of`: the memory of each device.
  explicit DeviceMemory(std::vector<std::uint64_t> bytes_of);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Device or managed memory. No bytes give no address, which is no error.
  Allocated allocate(int device, std::uint64_t bytes, MemoryKind kind);
  /// Frees what allocate() or allocate_host() gave.
  Outcome free(void* address, MemoryKind kind);
  /// Page-locked memory of the host. It takes none of a device's.
  Allocated allocate_host(int device, std::uint64_t bytes);
  Outcome register_host(void* address, std::uint64_t bytes, int device);
  Outcome unregister_host(void* address);

  /// The block around an address; nullptr for memory that the machine does not know, which is pageable host memory.
  const MemoryBlock* find(const void* address) const;
  /// Whether a copy or memset may touch so many bytes from an address on: to the end of its block and of the blocks
  /// that are mapped behind it without a hole, in one reserved range, for one device. True for memory that the machine
  /// does not know: its end is not known either.
  bool reaches(const void* address, std::uint64_t bytes) const;
  MemoryInfo info(int device) const;

  /// Takes bytes of a device that no block stands for, as pools and mapped ranges do; ok or out_of_memory.
  Outcome take(int device, std::uint64_t bytes);
  void give_back(int device, std::uint64_t bytes);
  /// Makes find() know a block that another part owns.
  void add_block(const MemoryBlock& block);
  void remove_block(const void* address);

 private:
  std::vector<std::uint64_t> bytes_of_;
  std::vector<std::uint64_t> used_bytes_;
  std::map<std::uintptr_t, MemoryBlock> blocks_;
};

/// Whether the memory is a device's; else it is the host's.
bool is_device_side(const MemoryBlock* block);

}  // namespace stepgate::emulator
