// FLOPs of an operator call from the sizes of its operands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// One call. `arguments` are those that are not tensors, in the order of the schema, as OperatorSite::arguments.
struct OperatorCall {
  std::vector<ObservedTensor> inputs;
  std::vector<ObservedTensor> outputs;
  std::vector<std::string> arguments;
};

/// A multiplication and an addition are two FLOPs; biases, scales and causal masks change nothing. These are the
/// formulas of torch.utils.flop_counter.FlopCounterMode, which also counts the attention of a CPU here.
struct FlopFormula {
  std::string_view name;  ///< name of the operator, without overload
  std::int64_t (*flops)(const OperatorCall& call);
};

/// nullptr: this operator has no formula.
const FlopFormula* flop_formula(std::string_view operator_name);

/// True for operators without formula whose work is in proportion to the elements that they touch, like sums, norms,
/// pooling or an optimizer's update, and for those that only move or hand out memory. They count 0 by definition. The
/// tags of LibTorch's schemas tell elementwise operators and views; this table holds the others.
bool counts_no_flops(std::string_view operator_name);

}  // namespace stepgate
