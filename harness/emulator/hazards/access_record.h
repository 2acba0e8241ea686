// One access to memory, as it is kept until it cannot meet another one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "emulator/hazards/vector_clock.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// Who reads or writes.
enum class AccessMaker {
  kernels,  ///< of an operator
  copy,
  memset,
  collective,
  host,     ///< an operator on the CPU, in page-locked memory
  release,  ///< cudaFreeAsync
};

struct AccessRecord {
  AccessMaker maker = AccessMaker::kernels;
  std::string work = {};  ///< "copy host_to_device", "ncclDevKernel_..."; "" for kernels of an operator
  Moment moment = {};
  bool writes = false;
  bool has_gaps = false;
  std::uint32_t origin = 0;  ///< a number of HazardOrigins, 0 where none is known
  WorkPlace place = {};
  bool is_in_graph = false;
  std::uint64_t number = 0;  ///< of the call of the machine, in its order
  std::uint64_t block = 0;   ///< the block of a caching allocator that the memory was, 0 where none is known
};

using AccessPointer = std::shared_ptr<const AccessRecord>;

}  // namespace stepgate::emulator
