// The CPU as a device: phases are synchronous, so host marks are phase times; "H2D" is a copy into a fixed buffer.
#pragma once

#include <memory>

#include "measure/device/backend.h"

namespace stepgate {

class CountingAllocator;

/// `allocator` provides the memory statistics and must outlive the backend. It is nullptr in timed processes: all their
/// statistics are 0, and warm-up uses page faults instead.
std::unique_ptr<Backend> make_cpu_backend(CountingAllocator* allocator);

}  // namespace stepgate
