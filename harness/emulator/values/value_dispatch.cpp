#include "emulator/values/value_dispatch.h"

#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/process/value_calls.h"
#include "emulator/values/cpu_scope.h"
#include "emulator/values/device_random.h"
#include "emulator/values/host_views.h"
#include "emulator/values/operator_work.h"

namespace stepgate::emulator {
namespace {

using Given = c10::ArrayRef<c10::IValue>;
using torch::jit::Stack;

/// The storages that an operator writes whose CUDA code the thread runs while operators that it calls have values.
struct OuterWrites {
  const OuterWrites* before = nullptr;
  std::vector<const c10::StorageImpl*> storages = {};
};

thread_local const OuterWrites* outer_writes = nullptr;

/// One call of an operator that has values.
struct ValuedCall {
  const c10::OperatorHandle& op;
  const OperatorFacts& facts;
  c10::DispatchKeySet below;  ///< the keys after this one
  c10::Device device;
  Stack arguments;  ///< held while the CUDA code runs, which takes those of the stack
};

/// Sets the operator of the thread for the runtime.
class InOperator {
 public:
  explicit InOperator(const OperatorScope& scope) : before_(stepgate_emulated_exchange_operator(scope)) {}
  ~InOperator() { stepgate_emulated_exchange_operator(before_); }
  InOperator(const InOperator&) = delete;
  InOperator& operator=(const InOperator&) = delete;

 private:
  OperatorScope before_;
};

class OuterScope {
 public:
  explicit OuterScope(std::vector<const c10::StorageImpl*> storages) : writes_{outer_writes, std::move(storages)} {
    outer_writes = &writes_;
  }
  ~OuterScope() { outer_writes = writes_.before; }
  OuterScope(const OuterScope&) = delete;
  OuterScope& operator=(const OuterScope&) = delete;

 private:
  OuterWrites writes_;
};

Given last_of(const Stack& stack, std::size_t count) { return Given(stack).slice(stack.size() - count, count); }

std::vector<at::Tensor> device_tensors(const c10::IValue& value) {
  std::vector<at::Tensor> found;
  const auto add = [&found](const at::Tensor& tensor) {
    if (is_on_device(tensor)) found.push_back(tensor);
  };
  if (value.isTensor()) {
    add(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) add(tensor);
  } else if (value.isOptionalTensorList()) {
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) add(tensor.value_or(at::Tensor()));
  }
  return found;
}

std::vector<const c10::StorageImpl*> written_storages(const c10::FunctionSchema& schema, Given given) {
  std::vector<const c10::StorageImpl*> storages;
  for (std::size_t place = 0; place < given.size(); ++place) {
    if (!is_written(schema.arguments()[place])) continue;
    for (const at::Tensor& tensor : device_tensors(given[place])) {
      storages.push_back(tensor.storage().unsafeGetStorageImpl());
    }
  }
  return storages;
}

/// An operator that writes what the outer one writes would write it twice.
bool writes_for_outer(const c10::FunctionSchema& schema, Given given) {
  if (outer_writes == nullptr) return false;
  const std::vector<const c10::StorageImpl*> own = written_storages(schema, given);
  for (const OuterWrites* outer = outer_writes; outer != nullptr; outer = outer->before) {
    for (const c10::StorageImpl* storage : outer->storages) {
      if (std::find(own.begin(), own.end(), storage) != own.end()) return true;
    }
  }
  return false;
}

std::optional<c10::Device> given_device(Given given) {
  for (const c10::IValue& value : given) {
    if (const std::vector<at::Tensor> tensors = device_tensors(value); !tensors.empty()) return tensors[0].device();
  }
  for (const c10::IValue& value : given) {
    if (!value.isDevice() || !value.toDevice().is_cuda()) continue;
    const c10::Device device = value.toDevice();
    return device.has_index() ? device : c10::Device(c10::kCUDA, c10::cuda::current_device());
  }
  return std::nullopt;
}

/// The device whose memory the operator's values are in; absent where it has none to compute.
std::optional<c10::Device> device_of(const OperatorFacts& facts, Given given) {
  if (facts.treatment == Treatment::parts) return std::nullopt;
  const bool is_copy = facts.treatment == Treatment::copying;
  if (is_copy && (device_tensors(given[0]).empty() || device_tensors(given[1]).empty())) return std::nullopt;
  return given_device(given);
}

void* stream_of(const ValuedCall& call) { return c10::cuda::getCurrentCUDAStream(call.device.index()).stream(); }

RandomSource random_of(const ValuedCall& call) {
  if (!call.facts.draws) return {};
  const std::optional<std::size_t>& place = call.facts.generator_at;
  return random_source(place ? call.arguments[*place] : c10::IValue(), call.device);
}

void run_cuda_code(const ValuedCall& call, const OperatorScope& scope, Stack& stack) {
  const InOperator in_operator(scope);
  if (scope.reads == DeviceReads::allowed) {
    const OuterScope outer(written_storages(call.op.schema(), call.arguments));
    call.op.redispatchBoxed(call.below, &stack);
    return;
  }
  const c10::impl::ExcludeDispatchKeyGuard without_values(value_key);
  call.op.redispatchBoxed(call.below, &stack);
}

void run_queued(void* state) {
  const auto& work = *static_cast<const OperatorWork*>(state);
  const std::string problem = run(work);
  if (!problem.empty()) stepgate_emulated_refuse(work.facts.name.c_str(), problem.c_str());
}

void drop_queued(void* state) { delete static_cast<OperatorWork*>(state); }

/// Where the stream takes no work, as in a capture that a call has ended, the outcome is that of the CUDA code's own
/// launches, and LibTorch has seen it.
void queue(const ValuedCall& call, std::unique_ptr<OperatorWork> work) {
  stepgate_emulated_add_effect(stream_of(call), run_queued, work.release(), drop_queued);
}

/// After the CUDA code: an output argument may have been resized by it.
void run_then_queue(const ValuedCall& call, Stack& stack) {
  const RandomSource random = random_of(call);
  const bool reads = call.facts.treatment == Treatment::reading;
  const OperatorScope scope{.name = call.facts.name.c_str(),
                            .reads = reads ? DeviceReads::allowed : DeviceReads::refused};
  run_cuda_code(call, scope, stack);
  const c10::FunctionSchema& schema = call.op.schema();
  const CpuScope cpu;
  HostViews views;
  queue(call, std::make_unique<OperatorWork>(
                  OperatorWork{.op = call.op,
                               .facts = call.facts,
                               .arguments = views.arguments(schema, call.arguments),
                               .random = random,
                               .outputs = views.results(schema, last_of(stack, schema.returns().size()))}));
}

/// The CUDA code waits for the stream to read the number, so the values may be computed now. Their place in the stream
/// is after the kernels that write the results.
void compute_then_run(const ValuedCall& call, Stack& stack) {
  const c10::FunctionSchema& schema = call.op.schema();
  auto work = std::make_unique<OperatorWork>(OperatorWork{.op = call.op, .facts = call.facts, .arguments = {}});
  stepgate_emulated_settle(stream_of(call));
  {
    const CpuScope cpu;
    work->arguments = HostViews().arguments(schema, call.arguments);
    work->values = computed(*work);
  }
  run_cuda_code(call,
                {.name = call.facts.name.c_str(), .reads = DeviceReads::answered, .answer = answer_of(*work->values)},
                stack);
  work->outputs = HostViews().results(schema, last_of(stack, schema.returns().size()));
  queue(call, std::move(work));
}

}  // namespace

void run_with_values(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, value_key);
  const c10::FunctionSchema& schema = op.schema();
  const Given given = last_of(*stack, schema.arguments().size());
  const OperatorFacts& facts = facts_of(op);
  const std::optional<c10::Device> device = device_of(facts, given);
  if (!device) {
    op.redispatchBoxed(below, stack);
    return;
  }
  if (writes_for_outer(schema, given)) {
    const c10::impl::ExcludeDispatchKeyGuard without_values(value_key);
    op.redispatchBoxed(below, stack);
    return;
  }
  if (!facts.refusal.empty()) stepgate_emulated_refuse(facts.name.c_str(), facts.refusal.c_str());
  const ValuedCall call{op, facts, below, *device, Stack(given.begin(), given.end())};
  if (facts.treatment == Treatment::answered) {
    compute_then_run(call, *stack);
  } else {
    run_then_queue(call, *stack);
  }
}

void watch_thread() { c10::impl::tls_set_dispatch_key_included(value_key, true); }

}  // namespace stepgate::emulator
