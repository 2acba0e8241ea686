// One fault moves many figures. Findings that tell of the same fault become one cause with the figures as its parts.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Merges causes:
///   added operators take the allocations, bytes, kernels, memsets and (where they are a host sync) the host, would-be
///   and device syncs and the copies of their boundary, the time that boundary took, the rise of the memory peak that
///   these allocations can explain, and the operators added in backward, which runs what forward recorded; allocations
///   take their bytes, loader operators their allocations, copies their bytes and device copies, host syncs their
///   device syncs, where they changed in the same boundaries; allocated memory takes reserved memory; something kept
///   alive between steps takes a peak that rose alike in every boundary; a cause with a name takes the operators and
///   the memory that it brings (merge_named_causes.h); nodes of autograd that are recorded more take what backward and
///   the optimizer then do more; operators that are gone take the change of losses that comes from where they ran
///   (merge_removed_operators.h).
/// The strongest cause comes first: a switch that the program set otherwise, a value that is not finite, what grows
/// with the steps, operators that are gone where losses changed, then what explains most of the rise of the red
/// metrics, each counted once; else the order is kept. Other findings stay as they are, behind the causes.
std::vector<Finding> merge_causes(const JudgedComparison& input, std::vector<Finding> findings);

}  // namespace stepgate
