#include "measure/device/work/copy_work.h"

#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>

#include "measure/device/work/operators/observed_operands.h"

namespace stepgate {
namespace {

const c10::TensorImpl* tensor_in(const c10::IValue& value) {
  const c10::TensorImpl* impl = value.isTensor() ? value.unsafeToTensorImpl() : nullptr;
  return impl == c10::UndefinedTensorImpl::singleton() ? nullptr : impl;
}

}  // namespace

std::optional<CopyKind> copy_kind(c10::ArrayRef<const c10::IValue> inputs) {
  if (inputs.size() < 2) return std::nullopt;
  const c10::TensorImpl* const to = tensor_in(inputs[0]);
  const c10::TensorImpl* const from = tensor_in(inputs[1]);
  if (to == nullptr || from == nullptr || to->layout() != c10::Layout::Strided) return std::nullopt;
  if (to->device() != from->device() || to->numel() <= 1) return std::nullopt;
  return to->dtype() == from->dtype() ? CopyKind::same_dtype : CopyKind::cast;
}

std::string cast_text(c10::ArrayRef<const c10::IValue> inputs) {
  const auto name = [](const c10::TensorImpl& tensor) { return dtype_name(c10::typeMetaToScalarType(tensor.dtype())); };
  return name(*tensor_in(inputs[1])) + " to " + name(*tensor_in(inputs[0]));
}

}  // namespace stepgate
