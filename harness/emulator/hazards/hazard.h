// Two accesses to the same memory that the program has not ordered, and what it says of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/hazards/access_record.h"
#include "emulator/hazards/hazard_origins.h"

namespace stepgate::emulator {

/// `earlier` was queued first. That order is not the device's.
struct Hazard {
  AccessRecord earlier;
  AccessRecord later;
  std::uint64_t bytes = 0;      ///< of the later access
  bool is_page_locked = false;  ///< memory of the host, else of a device
};

/// What is known when a program ends.
struct HazardTotals {
  std::uint64_t accesses = 0;
  std::uint64_t host_accesses = 0;
  std::uint64_t kernels = 0;
  std::uint64_t unknown_kernels = 0;  ///< of them: outside of operators, so nobody tells what they read and write
  std::uint64_t hazards = 0;
  std::uint64_t repeated = 0;   ///< of pairs that were found before
  std::uint64_t forgotten = 0;  ///< stretches of memory that were dropped to bound the room
};

/// "read after write", "write after read", "write after write".
std::string_view name_of_hazard(const Hazard& hazard);
/// What orders the two: one sentence.
std::string remedy_of(const Hazard& hazard);
/// One JSON object.
std::string json_of(const Hazard& hazard, const HazardOrigins& origins);
std::string json_of(const HazardTotals& totals);

}  // namespace stepgate::emulator
