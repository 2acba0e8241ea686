// CPU tensors over the memory of an emulated device.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <unordered_map>
#include <vector>

namespace stepgate::emulator {

/// A tensor of a device whose values a CPU can compute.
bool is_on_device(const at::Tensor& tensor);

/// Of one call of an operator. A view has the sizes, strides and storage offset of its tensor. Two tensors of one
/// storage have views of one storage, and a tensor that is passed twice has one view, because operators ask whether
/// they write what they read.
///
/// A view does not keep the memory: as on a GPU, work that is queued reads what is there when it runs.
class HostViews {
 public:
  at::Tensor of(const at::Tensor& tensor);

  /// The arguments of a call as its kernel for CPUs takes them. Tensors of the host that the operator only reads are
  /// copied, because the program may change them before the work runs.
  std::vector<c10::IValue> arguments(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> given);

  /// The results that the operator makes new, on a device; undefined tensors in the place of all others.
  std::vector<c10::IValue> results(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> given);

 private:
  c10::Storage storage_of(const at::Tensor& tensor);
  at::Tensor argument(const at::Tensor& tensor, bool written);
  c10::IValue argument(const c10::IValue& value, bool written);
  c10::IValue result(const c10::IValue& value);

  std::unordered_map<const c10::StorageImpl*, c10::Storage> storages_;
  std::unordered_map<const c10::TensorImpl*, at::Tensor> tensors_;
};

/// Whether the operator writes this argument or result in place.
bool is_written(const c10::Argument& argument);

}  // namespace stepgate::emulator
