#include "emulator/values/operator_work.h"

#include <ATen/ATen.h>

#include <exception>
#include <stdexcept>

#include "emulator/values/cpu_scope.h"

namespace stepgate::emulator {
namespace {

/// `to` as a tensor that takes 64-bit integers: LibTorch has few kernels for unsigned ones.
at::Tensor writable(const at::Tensor& to) { return to.scalar_type() == at::kUInt64 ? to.view(at::kLong) : to; }

std::string sizes_text(const at::Tensor& to, const at::Tensor& from) {
  return c10::str("a result has the sizes ", to.sizes(), " on the device and ", from.sizes(), " on the CPU");
}

/// An undefined tensor is one that the operator does not write. Values by hand may have another shape, and the device
/// has no room for those that nobody asked for.
void store_tensor(const at::Tensor& to, const at::Tensor& from, bool by_hand) {
  if (!to.defined() || !from.defined() || (by_hand && to.numel() == 0)) return;
  if (to.sizes() == from.sizes()) {
    writable(to).copy_(from);
    return;
  }
  if (!by_hand || to.numel() != from.numel()) throw std::runtime_error(sizes_text(to, from));
  writable(to).copy_(from.reshape(to.sizes()));
}

/// Values by hand leave out what nobody needs.
void require_fit(const char* what, std::size_t on_device, std::size_t on_cpu, bool by_hand) {
  if (on_device == on_cpu || (by_hand && on_cpu < on_device)) return;
  throw std::runtime_error(c10::str("there are ", on_device, " ", what, " on the device and ", on_cpu, " on the CPU"));
}

void store_value(const c10::IValue& to, const c10::IValue& from, bool by_hand) {
  if (to.isTensor() && from.isTensor()) return store_tensor(to.toTensor(), from.toTensor(), by_hand);
  if (!to.isTensorList() || !from.isTensorList()) return;
  const std::vector<at::Tensor> each_to = to.toTensorVector();
  const std::vector<at::Tensor> each_from = from.toTensorVector();
  require_fit("tensors of a result", each_to.size(), each_from.size(), by_hand);
  for (std::size_t place = 0; place < each_from.size(); ++place) {
    store_tensor(each_to[place], each_from[place], by_hand);
  }
}

}  // namespace

Values computed(const OperatorWork& work) {
  if (work.values) return *work.values;
  const RandomPlace place = work.facts.draws ? work.random.now() : RandomPlace{};
  if (work.facts.by_hand != nullptr) return work.facts.by_hand->compute({work.arguments, place});
  torch::jit::Stack stack = work.arguments;
  if (work.facts.generator_at) stack.at(*work.facts.generator_at) = generator_at(place);
  work.op.callBoxed(&stack);
  return stack;
}

void store(const OperatorWork& work, const Values& values) {
  if (work.outputs.empty()) return;  // it writes its arguments
  const bool by_hand = work.facts.by_hand != nullptr;
  require_fit("results", work.outputs.size(), values.size(), by_hand);
  for (std::size_t place = 0; place < values.size(); ++place) {
    store_value(work.outputs[place], values[place], by_hand);
  }
}

std::string run(const OperatorWork& work) {
  try {
    const CpuScope scope;
    store(work, computed(work));
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

std::int64_t answer_of(const Values& values) {
  const c10::IValue& first = values.at(0);
  return first.isBool() ? static_cast<std::int64_t>(first.toBool()) : first.toTensor().size(0);
}

}  // namespace stepgate::emulator
