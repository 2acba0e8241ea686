#include "measure/device/work/operators/waiting_operators.h"

#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <dlfcn.h>
#include <link.h>
#include <torch/csrc/profiler/unwind/unwind.h>

#include <algorithm>
#include <cstdint>
#include <ostream>

namespace stepgate {
namespace {

struct NamedRule {
  std::string_view name;
  WaitRule rule;
};

/// Before the tags.
constexpr NamedRule named_rules[] = {
    {"aten::_ctc_loss", WaitRule::never},  // tagged for lengths that are numbers of the host already
    {"aten::_unique", WaitRule::always},   // without a tag, beside _unique2
    {"aten::copy_", WaitRule::copies},
    {"aten::index", WaitRule::never},  // of a mask it calls nonzero, which waits; of positions it waits for nothing
    {"aten::one_hot", WaitRule::unless_sized},
    {"aten::repeat_interleave", WaitRule::unless_sized},
    {"aten::to", WaitRule::moves}};

bool has_tag_of_waiting(const c10::OperatorHandle& op) {
  return op.hasTag(at::Tag::data_dependent_output) || op.hasTag(at::Tag::dynamic_output_shape);
}

const c10::TensorImpl* defined_tensor(const c10::IValue& value) {
  const c10::TensorImpl* const impl = value.isTensor() ? value.unsafeToTensorImpl() : nullptr;
  return impl == c10::UndefinedTensorImpl::singleton() ? nullptr : impl;
}

bool is_host(const c10::IValue& device) { return device.isDevice() && device.toDevice().is_cpu(); }
bool is_dtype(const c10::IValue& dtype, c10::ScalarType type) {
  return dtype.isInt() && dtype.toInt() == static_cast<std::int64_t>(type);
}
bool is_false(const c10::IValue& flag) { return flag.isBool() && !flag.toBool(); }

/// one_hot(self, num_classes) and repeat_interleave(repeats, *, output_size): -1 and none leave the size to the values.
bool gives_size(c10::ArrayRef<const c10::IValue> inputs) {
  if (inputs.size() < 2) return false;
  const c10::IValue& size = inputs.back();
  return !size.isNone() && !(size.isInt() && size.toInt() < 0);
}

/// Tensor::cpu() asks a tensor for the dtype and the layout that it has, and for the CPU. `inputs` are those of
/// to.dtype_layout: self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format.
bool is_cpu_call(c10::ArrayRef<const c10::IValue> inputs) {
  if (inputs.size() != 8) return false;
  const c10::TensorImpl* const self = defined_tensor(inputs[0]);
  return self != nullptr && self->device().is_cpu() && is_dtype(inputs[1], c10::typeMetaToScalarType(self->dtype())) &&
         inputs[2].isInt() && is_host(inputs[3]) && is_false(inputs[5]) && is_false(inputs[6]) && inputs[7].isNone();
}

/// Where at::print(), which prints a tensor for operator<<, lies in this process.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
CodeRange code_of_print() {
  std::ostream& (*const print)(std::ostream&, const at::Tensor&, std::int64_t) = at::print;
  Dl_info info = {};
  void* symbol = nullptr;
  if (dladdr1(reinterpret_cast<void*>(print), &info, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return {};
  const auto begin = reinterpret_cast<std::uintptr_t>(info.dli_saddr);
  return {begin, begin + static_cast<const ElfW(Sym)*>(symbol)->st_size};
}

bool print_is_on_stack() {
  static const CodeRange print = code_of_print();
  return std::ranges::any_of(torch::unwind::unwind(), [](const void* frame) {
    const std::uintptr_t call = reinterpret_cast<std::uintptr_t>(frame) - 1;
    return call >= print.begin && call < print.end;
  });
}

/// at::print() moves what it prints to the CPU as float64: to.device(self, device, dtype, non_blocking, copy,
/// memory_format). The stack is read for such calls alone.
bool is_printed(const WaitQuestion& call) {
  return call.can_unwind && call.inputs.size() == 6 && is_host(call.inputs[1]) &&
         is_dtype(call.inputs[2], c10::ScalarType::Double) && print_is_on_stack();
}

/// copy_(self, src, non_blocking).
bool copies_to_host(c10::ArrayRef<const c10::IValue> inputs) {
  if (inputs.size() < 3) return false;
  const c10::TensorImpl* const to = defined_tensor(inputs[0]);
  const c10::TensorImpl* const from = defined_tensor(inputs[1]);
  return to != nullptr && from != nullptr && to->device().is_cpu() && !from->device().is_cpu() && is_false(inputs[2]);
}

}  // namespace

WaitRule wait_rule_of(const c10::OperatorHandle& op) {
  const std::string_view name = op.schema().name();
  const auto* const named = std::ranges::find(named_rules, name, &NamedRule::name);
  const bool is_tagged = has_tag_of_waiting(op);
  if (named == std::end(named_rules)) return is_tagged ? WaitRule::always : WaitRule::never;
  // repeat_interleave of a tensor and its repeats calls the overload with the tag.
  return named->rule == WaitRule::unless_sized && !is_tagged ? WaitRule::never : named->rule;
}

std::string_view waiting_name(const WaitQuestion& call) {
  switch (call.rule) {
    case WaitRule::never:
      return "";
    case WaitRule::always:
      return call.name;
    case WaitRule::unless_sized:
      return gives_size(call.inputs) ? "" : call.name;
    case WaitRule::moves:
      if (is_printed(call)) return printing;
      return !call.of_library && is_cpu_call(call.inputs) ? call.name : "";
    case WaitRule::copies:
      return copies_to_host(call.inputs) ? call.name : "";
  }
  return "";
}

}  // namespace stepgate
