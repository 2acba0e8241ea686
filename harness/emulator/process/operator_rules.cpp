#include "emulator/process/operator_rules.h"

#include <cstring>

#include "emulator/machine/refusal.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"

namespace stepgate::emulator {
namespace {

/// The kernel of at::cuda::sleep(), by a part of its mangled name. It writes nothing, and no operator launches it.
constexpr std::string_view silent_kernel = "11spin_kernel";

bool is_read_of_device(const CopyRequest& request) {
  const std::optional<MemoryBlock> from = process_machine().block_of(request.from);
  const std::optional<MemoryBlock> to = process_machine().block_of(request.to);
  return from && is_device_side(&*from) && !(to && is_device_side(&*to));
}

void answer_read(const Caller& caller, const CopyRequest& request) {
  const OperatorScope& scope = thread_state().operator_scope;
  if (request.bytes > sizeof scope.answer || request.rows != 1) {
    refuse(scope.name, "the operator reads more than one number of the device while it runs");
  }
  process_machine().settle_stream(caller, request.stream);  // a memset of this number comes before it
  std::memcpy(const_cast<void*>(request.from), &scope.answer, request.bytes);  // the low bytes come first
}

}  // namespace

bool is_in_operator() { return thread_state().operator_scope.name != nullptr; }

void check_kernel(ValueMode mode, std::string_view kernel) {
  if (mode != ValueMode::values || is_in_operator()) return;
  if (kernel.find(silent_kernel) != std::string_view::npos) return;
  refuse(kernel, "a kernel outside of LibTorch's operators has no values; mode=counts runs it");
}

void check_copy(const Caller& caller, const CopyRequest& request) {
  const OperatorScope& scope = thread_state().operator_scope;
  if (scope.name == nullptr || scope.reads == DeviceReads::allowed || request.bytes == 0) return;
  if (!is_read_of_device(request)) return;
  if (scope.reads == DeviceReads::refused) {
    refuse(scope.name, "the operator reads the device's memory before its values are there");
  }
  answer_read(caller, request);
}

}  // namespace stepgate::emulator
