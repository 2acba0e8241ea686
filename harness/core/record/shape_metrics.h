// Names of the metrics of input shapes, which the counts pass writes and the diagnosis reads.
#pragma once

namespace stepgate {

/// Input shapes of all steps so far: a total, so with new shapes it rises from step to step.
inline constexpr const char* shapes_seen = "shapes_seen";

/// 1 in a counted step whose input shapes no earlier step of its process had, warm-up included; else 0.
/// WorkCounts::device_calls has under the same name the sizes of these batches ("int64[8, 67], int64[8, 67]") and in
/// how many counted steps each was cold; under shapes_seen the sizes of all counted batches.
inline constexpr const char* cold_shapes_after_warmup = "cold_shapes_after_warmup";

}  // namespace stepgate
