#include "emulator/values/operator_accesses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "emulator/values/host_views.h"
#include "emulator/values/tensor_stretches.h"

namespace stepgate::emulator {
namespace {

/// With a kernel for CPUs, and without a look at the numbers of their tensors.
constexpr std::array<std::string_view, 9> without_access = {
    "aten::empty",     "aten::empty_strided", "aten::resize_",   "aten::_resize_output_", "aten::set_",
    "aten::is_set_to", "aten::record_stream", "aten::is_pinned", "aten::_pin_memory"};

bool gives_views(const c10::FunctionSchema& schema) {
  const auto& returns = schema.returns();
  return !returns.empty() && std::all_of(returns.begin(), returns.end(), [](const c10::Argument& result) {
    return result.alias_info() != nullptr && !is_written(result);
  });
}

bool accesses_numbers(const c10::OperatorHandle& op) {
  const c10::FunctionSchema& schema = op.schema();
  const bool is_listed = std::find(without_access.begin(), without_access.end(), schema.name()) != without_access.end();
  return !is_listed && !gives_views(schema) && op.hasKernelForDispatchKey(c10::DispatchKey::CPU);
}

}  // namespace

OperatorAccesses::OperatorAccesses(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) : op_(op) {
  const auto& declared = op.schema().arguments();
  for (std::size_t place = 0; place < arguments.size(); ++place) add(arguments[place], is_written(declared[place]));
}

void OperatorAccesses::add_results(c10::ArrayRef<c10::IValue> results) {
  const auto& declared = op_.schema().returns();
  for (std::size_t place = 0; place < results.size(); ++place) {
    const bool is_view = declared[place].alias_info() != nullptr && !is_written(declared[place]);
    if (!is_view) add(results[place], true);
  }
}

MemoryAccesses OperatorAccesses::on_host() const {
  if (on_host_.empty() || has_device_tensor_ || !accesses_numbers(op_)) return {};
  return on_host_;
}

void OperatorAccesses::add(const at::Tensor& tensor, bool writes) {
  if (!tensor.defined()) return;
  if (tensor.is_cuda()) {
    has_device_tensor_ = true;
    add_stretches(on_device_, tensor, writes);
  } else if (tensor.is_cpu()) {
    add_stretches(on_host_, tensor, writes);
  }
}

void OperatorAccesses::add(const c10::IValue& value, bool writes) {
  if (value.isTensor()) {
    add(value.toTensor(), writes);
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) add(tensor, writes);
  } else if (value.isOptionalTensorList()) {
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) {
      add(tensor.value_or(at::Tensor()), writes);
    }
  }
}

}  // namespace stepgate::emulator
