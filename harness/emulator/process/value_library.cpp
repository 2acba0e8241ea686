#include "emulator/process/value_library.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>

#include "emulator/machine/refusal.h"
#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"
#include "emulator/process/value_calls.h"

namespace stepgate::emulator {
namespace {

constexpr const char* library_file = "libstepgate_emulated_values.so";

/// The kernel of at::cuda::sleep(), by a part of its mangled name. It writes nothing, and no operator launches it.
constexpr std::string_view silent_kernel = "11spin_kernel";

using Watcher = void (*)();

std::atomic<Watcher>& call_watcher() {
  static std::atomic<Watcher> watcher{nullptr};
  return watcher;
}

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

std::string open_value_library(const std::string& folder) {
  const std::string path = folder + library_file;
  if (::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return "";
  const char* error = ::dlerror();
  return "mode=values needs " + path + ": " + (error == nullptr ? "it cannot be opened" : error) +
         ". Build the target emulated_gpu_values";
}

void tell_value_library() {
  if (const Watcher watcher = call_watcher().load(std::memory_order_relaxed)) watcher();
}

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

using namespace stepgate::emulator;

extern "C" {

int stepgate_emulated_settle(void* stream) {
  const ApiScope scope(ApiDomain::runtime, 0, "stepgate_emulated_settle");
  const auto handle = static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream));
  return static_cast<int>(process_machine().settle_stream(scope.caller(), handle));
}

OperatorScope stepgate_emulated_exchange_operator(OperatorScope next) {
  OperatorScope& scope = thread_state().operator_scope;
  const OperatorScope before = scope;
  scope = next;
  return before;
}

void stepgate_emulated_watch_calls(void (*call)()) { call_watcher().store(call); }

void stepgate_emulated_refuse(const char* what, const char* why) { refuse(what, why); }

}  // extern "C"
