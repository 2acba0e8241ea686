// Whether a matrix product has sizes that Tensor Cores take in whole pieces.
#pragma once

#include <string_view>

#include "measure/device/work/operators/flop_formulas.h"

namespace stepgate {

/// True for a product of matrices whose inner size K or number of columns N is not a multiple of 16 bytes' worth of
/// elements: 8 in 16-bit dtypes, 4 in float32 on a GPU (TF32). Rows of such a matrix begin between the 128-bit words
/// that the fast kernels read. False for other operators and dtypes.
bool is_misaligned_product(std::string_view operator_name, const OperatorCall& call, bool on_gpu);

}  // namespace stepgate
