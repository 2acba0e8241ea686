// Faults of a GPU that its driver reports by a number (Xid), and who can have caused them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stepgate {

struct GpuFault {
  std::string uuid;
  std::int64_t xid = 0;

  bool operator==(const GpuFault&) const = default;
};

/// Whether a program can cause it: an access out of bounds, a kernel that traps. Such a process fails as its code would
/// anywhere. All others are faults of the GPU, its memory, its link or its driver.
bool is_of_program(const GpuFault& fault);

/// "Xid 79 (the GPU has fallen off the bus) of GPU-...", several with a comma between them.
std::string text_of(const std::vector<GpuFault>& faults);

}  // namespace stepgate
