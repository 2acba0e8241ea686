// The CPU as a device: phases are synchronous, so host marks are phase times; "H2D" is a copy into a fixed buffer.
#pragma once

#include <memory>

#include "measure/device/backend.h"

namespace stepgate {

class CountingAllocator;

/// `allocator` is where memory statistics come from and must outlive the backend; nullptr in timed processes, whose
/// statistics all read 0 (warm-up looks at page faults there).
std::unique_ptr<Backend> make_cpu_backend(CountingAllocator* allocator);

}  // namespace stepgate
