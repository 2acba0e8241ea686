// Reads from what the observer saw of a copy why it was made, and from a tensor how it lies in memory.
#pragma once

#include <string>
#include <string_view>

#include "core/record/observed_work.h"

namespace stepgate {

/// A copy of more than one element within one device.
bool is_copy(const OperatorSite& site);

/// The kind of a copy: "dtype", "broadcast" (the source repeats elements), "layout" (another order in memory), else
/// "plain".
std::string_view copy_kind(const OperatorSite& site);

/// Multiplies matrices or convolves, by its name.
bool is_matrix_product(std::string_view operator_name);

/// The innermost matrix product or convolution in which the copy runs; "" if there is none.
std::string product_around(const OperatorSite& copy);

/// "expanded" (a stride of 0), "contiguous", "channels_last", "transposed" (columns lie together), "strided rows" (rows
/// lie together, with gaps between them), else "gaps".
std::string_view layout_of(const ObservedTensor& tensor);

/// The tensor is in channels_last because it was computed so: nothing permuted its dimensions just before.
bool is_computed_channels_last(const ObservedTensor& tensor);

}  // namespace stepgate
