// Address ranges into which memory of a device is mapped piece by piece, as expandable segments do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "emulator/memory/device_memory.h"

namespace stepgate::emulator {

/// Memory of a device without an address. 0: none.
using PhysicalMemory = std::uint64_t;

struct PhysicalMade {
  Outcome outcome = Outcome::ok;
  PhysicalMemory memory = 0;
};

struct PhysicalFacts {
  int device = 0;
  std::uint64_t bytes = 0;
};

struct Mapping {
  void* address = nullptr;
  std::uint64_t bytes = 0;
  PhysicalMemory memory = 0;
};

/// A physical memory is mapped at one place at most. Calls come one at a time.
class AddressRanges {
 public:
  explicit AddressRanges(DeviceMemory& memory) : memory_(memory) {}
  ~AddressRanges();
  AddressRanges(const AddressRanges&) = delete;
  AddressRanges& operator=(const AddressRanges&) = delete;

  Allocated reserve(std::uint64_t bytes);
  /// The whole of what reserve() gave, with nothing mapped in it.
  Outcome free(void* address, std::uint64_t bytes);

  /// `bytes`: a multiple of device_page_bytes.
  PhysicalMade create(int device, std::uint64_t bytes);
  /// The memory goes when it is neither held nor mapped.
  Outcome release(PhysicalMemory memory);

  std::optional<PhysicalFacts> facts(PhysicalMemory memory) const;

  Outcome map(const Mapping& mapping);
  /// One or more whole mappings.
  Outcome unmap(void* address, std::uint64_t bytes);
  /// Mapped memory has no access before.
  Outcome allow_access(void* address, std::uint64_t bytes);

 private:
  struct Physical {
    int device = 0;
    std::uint64_t bytes = 0;
    bool is_held = true;
    bool is_mapped = false;
  };
  struct Mapped {
    std::uint64_t bytes = 0;
    PhysicalMemory memory = 0;
  };

  /// Where the reserved range around these bytes begins; absent where none holds them all.
  std::optional<std::uintptr_t> range_around(std::uintptr_t address, std::uint64_t bytes) const;
  bool overlaps_mapping(std::uintptr_t address, std::uint64_t bytes) const;
  bool are_whole_mappings(std::uintptr_t address, std::uint64_t bytes) const;
  void drop_unused(PhysicalMemory memory);

  DeviceMemory& memory_;
  std::map<std::uintptr_t, std::uint64_t> ranges_;
  std::map<std::uintptr_t, Mapped> mapped_;
  std::map<PhysicalMemory, Physical> physical_;
  PhysicalMemory last_ = 0;
};

}  // namespace stepgate::emulator
