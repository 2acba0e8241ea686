// What each block of a trace was used for.
//
// The first line that applies gives the kind. "Its step" is the step that a block was made in, including the release of
// batch and loss.
//
//   parameters       storage of one of Workload::parameters()
//   gradients        storage of a parameter's gradient when backward ended, or when the first step began
//   setup            made before the first step: buffers, data that stays on the device
//   temporaries      gone when the boundary that made it ended
//   inputs           made in data_wait or h2d
//   optimizer_state  made in optimizer, and outlives its step
//   workspace        made in the pass's first forward and never freed: what a library or the workload makes once, such
//                    as the scratch memory of a matrix product. Where every later step also leaves a block of forward
//                    behind for good, there is a leak, and these blocks are activations
//   activations      made in forward: alive when it ended
//   temporaries      made later in the step, and gone by its step's end
//   workspace        made in backward, logging or after them, and outlives its step
#pragma once

#include <vector>

#include "core/record/memory_kind.h"
#include "measure/memory/memory_trace.h"

namespace stepgate {

/// One kind per block of `trace`, in its order.
std::vector<MemoryKind> kinds_of(const MemoryTrace& trace);

}  // namespace stepgate
