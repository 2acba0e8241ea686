// The operands of an operator call in one line: what a library is asked for.
#pragma once

#include <string>

#include "measure/device/work/operators/flop_formulas.h"

namespace stepgate {

/// "float32[8, 64], float32[64, 4] strides [1, 64], [1, 1], True": inputs with dtype and sizes, with strides where they
/// are not those of a contiguous tensor, then the other arguments. Of many tensors the first ones, and a sum of the
/// rest.
std::string operands_text(const OperatorCall& call);

}  // namespace stepgate
