#include "emulator/values/hazard_dispatch.h"

#include <ATen/SequenceNumber.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <torch/csrc/autograd/function.h>

#include <cstdint>
#include <memory>

#include "emulator/process/hazard_calls.h"
#include "emulator/values/operator_accesses.h"

namespace stepgate::emulator {
namespace {

using torch::jit::Stack;

/// Of autograd's node, from 1 on; the nodes that add up gradients have none.
std::uint64_t forward_of_backward() {
  const std::shared_ptr<torch::autograd::Node> node = torch::autograd::get_current_node();
  return node == nullptr ? 0 : node->sequence_nr() + 1;
}

/// Below automatic differentiation the node of the operator has been made: its number is the last one that was given.
std::uint64_t sequence_of_forward() { return at::sequence_number::peek(); }

void tell_block(const c10::CachingDeviceAllocator::TraceEntry& entry) {
  if (entry.action_ != c10::CachingDeviceAllocator::TraceEntry::ALLOC) return;
  stepgate_emulated_hand_out(reinterpret_cast<const void*>(entry.addr_), entry.size_);
}

/// Called where a tensor of a device is at hand: before that the allocator has no devices to watch. The allocator of
/// cudaMallocAsync cannot be watched; its blocks come and go by calls that the machine sees.
bool watch_allocator() {
  try {
    c10::cuda::CUDACachingAllocator::attachAllocatorTraceTracker(tell_block);
  } catch (const c10::Error&) {
    return false;
  }
  return true;
}

/// The operator that the thread is in, as the machine is told.
class ToldOperator {
 public:
  explicit ToldOperator(const char* name) {
    stepgate_emulated_begin_operator(name, sequence_of_forward(), forward_of_backward());
  }
  ~ToldOperator() { stepgate_emulated_end_operator(accesses_.data(), accesses_.size()); }
  ToldOperator(const ToldOperator&) = delete;
  ToldOperator& operator=(const ToldOperator&) = delete;

  void set_accesses(const OperatorAccesses& accesses) {
    accesses_ = accesses.on_device();
    const MemoryAccesses on_host = accesses.on_host();
    if (!on_host.empty()) stepgate_emulated_host_accesses(on_host.data(), on_host.size());
  }

 private:
  MemoryAccesses accesses_;
};

}  // namespace

void run_without_values(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, value_key);
  op.redispatchBoxed(below, stack);
}

void run_with_accesses(OperatorRun run, const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  OperatorAccesses accesses(op, torch::jit::last(*stack, schema.arguments().size()));
  ToldOperator told(schema.name().c_str());
  run(op, keys, stack);
  accesses.add_results(torch::jit::last(*stack, schema.returns().size()));
  if (accesses.has_device_tensor()) {
    static const bool is_watching = watch_allocator();
    static_cast<void>(is_watching);
  }
  told.set_accesses(accesses);
}

}  // namespace stepgate::emulator
