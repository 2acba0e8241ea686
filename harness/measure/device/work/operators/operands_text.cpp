#include "measure/device/work/operators/operands_text.h"

#include <vector>

#include "core/kernels/library_operands.h"

namespace stepgate {

std::string operands_text(const OperatorCall& call) {
  std::vector<CalledTensor> tensors;
  tensors.reserve(call.inputs.size());
  for (const ObservedTensor& input : call.inputs) tensors.push_back({input.dtype, input.sizes, input.strides});
  return library_operands(tensors, call.arguments);
}

}  // namespace stepgate
