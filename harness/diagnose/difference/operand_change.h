// What is different about the tensors of an operator: shape, strides, dtype, where they come from.
#pragma once

#include <string>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// One line for each input or output that differs: "input 1: float32 -> float64", "input 0: strides [64, 1] -> [1, 8]",
/// "output 0: sizes [8, 64] -> [8, 97]". At most four.
std::vector<std::string> operand_changes(const OperatorSite& base, const OperatorSite& head);

}  // namespace stepgate
