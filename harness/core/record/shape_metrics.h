// Names of the metric of cold shapes, which the counts pass writes and the diagnosis reads.
#pragma once

namespace stepgate {

/// 1 in a counted step whose input shapes no earlier step of its process had, warm-up included; else 0.
/// WorkCounts::device_calls has under the same name the sizes of these batches ("int64[8, 67], int64[8, 67]") and in
/// how many counted steps each was cold; under "shapes_seen" the sizes of all counted batches.
inline constexpr const char* cold_shapes_after_warmup = "cold_shapes_after_warmup";

}  // namespace stepgate
