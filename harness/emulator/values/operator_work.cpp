#include "emulator/values/operator_work.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "emulator/values/cpu_scope.h"

namespace stepgate::emulator {
namespace {

/// `to` as a tensor that takes 64-bit integers: LibTorch has few kernels for unsigned ones.
at::Tensor writable(const at::Tensor& to) { return to.scalar_type() == at::kUInt64 ? to.view(at::kLong) : to; }

void store_tensor(const at::Tensor& to, const at::Tensor& from, bool may_reshape) {
  if (!to.defined() || !from.defined() || to.numel() == 0 || from.numel() == 0) return;
  if (to.sizes() == from.sizes()) {
    writable(to).copy_(from);
    return;
  }
  if (!may_reshape || to.numel() != from.numel()) {
    throw std::runtime_error("a result has the sizes " + c10::str(to.sizes()) + " on the device and " +
                             c10::str(from.sizes()) + " on the CPU");
  }
  writable(to).copy_(from.reshape(to.sizes()));
}

void store_value(const c10::IValue& to, const c10::IValue& from, bool may_reshape) {
  if (to.isTensor() && from.isTensor()) return store_tensor(to.toTensor(), from.toTensor(), may_reshape);
  if (!to.isTensorList() || !from.isTensorList()) return;
  const std::vector<at::Tensor> each_to = to.toTensorVector();
  const std::vector<at::Tensor> each_from = from.toTensorVector();
  for (std::size_t place = 0; place < std::min(each_to.size(), each_from.size()); ++place) {
    store_tensor(each_to[place], each_from[place], may_reshape);
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
  const bool may_reshape = work.facts.by_hand != nullptr;
  for (std::size_t place = 0; place < std::min(work.outputs.size(), values.size()); ++place) {
    store_value(work.outputs[place], values[place], may_reshape);
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
