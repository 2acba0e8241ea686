// The purpose of each block of a trace.
//
// The first line that applies gives the kind. "Its step" is the step in which a block was allocated, including the
// release of batch and loss.
//
//   parameters       storage of one of Workload::parameters()
//   gradients        storage of a parameter's gradient when backward ended, or when the first step began
//   setup            allocated before the first step: buffers, data that stays on the device
//   temporaries      freed within the boundary that allocated it
//   inputs           allocated in data_wait or h2d
//   optimizer_state  allocated in optimizer, and outlives its step
//   workspace        allocated in the pass's first forward and never freed: a library or the workload allocates
//                    it once, such as the scratch memory of a matrix product. If every later step also leaves a
//                    block of forward allocated until the end, there is a leak, and these blocks are activations
//   activations      allocated in forward, and alive when it ended
//   temporaries      allocated later in the step, and freed by its step's end
//   workspace        allocated in backward, logging or after them, and outlives its step
#pragma once

#include <vector>

#include "core/record/memory_kind.h"
#include "measure/memory/memory_trace.h"

namespace stepgate {

/// One kind per block of `trace`, in its order.
std::vector<MemoryKind> kinds_of(const MemoryTrace& trace);

}  // namespace stepgate
