// The questions about what a step asks of its GPU (questions.h has the list of all).
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Does the batch lie in pageable memory, where it was page-locked before? Code: pinning-lost, with the lines of the
/// loader that make tensors which are not page-locked.
/// Precondition: pageable_copies_per_step is red, and it was 0 before or rose by more than the copies did.
std::vector<Finding> explain_lost_pinning(const JudgedComparison& input);

/// Does the driver pin host memory in counted steps? Code: pinned-in-step. A size that the loader meets for the first
/// time is pinned once, so that a later pass of the process no longer shows it. Precondition:
/// device_allocations_per_step is red, and only by calls that pin host memory.
std::vector<Finding> explain_pinning_calls(const JudgedComparison& input);

/// What changed about the CUDA graphs of a step? Codes: graphs-after-warmup, where steps after the warm-up still record
/// graphs; graph-grew, where the graph of a step holds more kernels, copies or memsets than before. A replay calls no
/// operator, so neither names a line.
/// Precondition: graphs_after_warmup is red, or else the kernels, copies or memsets in the graph are.
std::vector<Finding> explain_cuda_graphs(const JudgedComparison& input);

/// Does the device work longer in a step? Code: device-slower. It says whether LibTorch launches as many kernels as
/// before, where they were counted, and how much longer the step takes, because a slow host hides what the device does.
/// Precondition: device_time_ns is red; a cause where nothing that the device is given to do (kernels, library calls,
/// copies, memsets, graphs, FLOPs, bytes) is, and copies overlap as before.
std::vector<Finding> explain_device_time(const JudgedComparison& input);

}  // namespace stepgate
