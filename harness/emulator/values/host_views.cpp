#include "emulator/values/host_views.h"

#include <ATen/ATen.h>

#include <optional>
#include <utility>

namespace stepgate::emulator {

bool is_on_device(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_cuda() && tensor.layout() == at::kStrided;
}

bool is_written(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

c10::Storage HostViews::storage_of(const at::Tensor& tensor) {
  const c10::Storage& storage = tensor.storage();
  const auto found = storages_.find(storage.unsafeGetStorageImpl());
  if (found != storages_.end()) return found->second;
  // Without an owner, and without an allocator: a kernel that wants to resize it throws.
  c10::DataPtr memory(const_cast<void*>(storage.data()), c10::Device(c10::kCPU));
  const c10::Storage made(c10::Storage::use_byte_size_t(), storage.nbytes(), std::move(memory), nullptr, false);
  storages_.emplace(storage.unsafeGetStorageImpl(), made);
  return made;
}

at::Tensor HostViews::of(const at::Tensor& tensor) {
  const auto found = tensors_.find(tensor.unsafeGetTensorImpl());
  if (found != tensors_.end()) return found->second;
  const c10::DispatchKeySet keys(c10::DispatchKey::CPU);
  at::Tensor view = at::detail::make_tensor<c10::TensorImpl>(storage_of(tensor), keys, tensor.dtype());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(), tensor.storage_offset());
  if (tensor.is_conj()) view._set_conj(true);
  if (tensor.is_neg()) view._set_neg(true);
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) view.unsafeGetTensorImpl()->set_wrapped_number(true);
  tensors_.emplace(tensor.unsafeGetTensorImpl(), view);
  return view;
}

at::Tensor HostViews::argument(const at::Tensor& tensor, bool written) {
  if (is_on_device(tensor)) return of(tensor);
  const bool is_constant = !tensor.defined() || tensor.unsafeGetTensorImpl()->is_wrapped_number();
  return is_constant || written ? tensor : tensor.clone();
}

c10::IValue HostViews::argument(const c10::IValue& value, bool written) {
  if (value.isTensor()) return argument(value.toTensor(), written);
  if (value.isDevice()) return c10::Device(c10::kCPU);
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(argument(tensor, written));
    return list;
  }
  if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> list;
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) {
      list.push_back(tensor ? std::optional<at::Tensor>(argument(*tensor, written)) : std::nullopt);
    }
    return list;
  }
  return value;
}

std::vector<c10::IValue> HostViews::arguments(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> given) {
  std::vector<c10::IValue> made;
  for (std::size_t place = 0; place < given.size(); ++place) {
    const c10::Argument& declared = schema.arguments()[place];
    const bool is_pin = declared.name() == "pin_memory";  // of a host's tensor that only a GPU needs
    made.push_back(is_pin ? c10::IValue() : argument(given[place], is_written(declared)));
  }
  return made;
}

c10::IValue HostViews::result(const c10::IValue& value) {
  if (value.isTensor()) return is_on_device(value.toTensor()) ? of(value.toTensor()) : at::Tensor();
  if (!value.isTensorList()) return at::Tensor();
  c10::List<at::Tensor> list;
  for (const at::Tensor& tensor : value.toTensorVector()) {
    list.push_back(is_on_device(tensor) ? of(tensor) : at::Tensor());
  }
  return list;
}

std::vector<c10::IValue> HostViews::results(const c10::FunctionSchema& schema, c10::ArrayRef<c10::IValue> given) {
  std::vector<c10::IValue> made;
  for (std::size_t place = 0; place < given.size(); ++place) {
    const bool is_new = !is_written(schema.returns()[place]);
    made.push_back(is_new ? result(given[place]) : c10::IValue(at::Tensor()));
  }
  return made;
}

}  // namespace stepgate::emulator
