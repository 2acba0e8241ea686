// Accesses to one place in memory that nothing in a program orders, as a process on an emulated GPU found them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/code_place.h"

namespace stepgate {

/// One of the two accesses.
struct HazardAccess {
  std::string op;    ///< "aten::add"; "" outside of operators
  std::string work;  ///< "kernels", "copy host_to_device", "memset", "host", ...
  bool writes = false;
  std::int64_t device = 0;
  std::int64_t stream = 0;  ///< counted from 1 in the process; 0 for the host
  bool in_graph = false;
  /// In a backward: `place` is that of the forward operator.
  bool for_forward = false;
  CodePlace place = {};

  bool operator==(const HazardAccess&) const = default;
};

struct StreamHazard {
  std::string kind;  ///< "read after write", "write after read", "write after write"
  HazardAccess earlier;
  HazardAccess later;
  std::int64_t bytes = 0;
  bool page_locked = false;  ///< memory of the host
  bool reused = false;       ///< an allocator gave the memory to another tensor between the two
  std::string remedy;        ///< what orders them

  bool operator==(const StreamHazard&) const = default;
};

/// Of all processes of one run of a case.
struct StreamHazards {
  std::int64_t accesses = 0;
  std::int64_t kernels = 0;
  std::int64_t unknown_kernels = 0;      ///< of them: nobody tells what they read and write
  std::int64_t hazards = 0;              ///< pairs of places
  std::int64_t forgotten = 0;            ///< stretches of memory that were dropped to bound the room
  std::vector<StreamHazard> found = {};  ///< the first ones

  bool operator==(const StreamHazards&) const = default;
};

}  // namespace stepgate
