#include "emulator/driver/driver_contexts.h"

#include <cupti_runtime_cbid.h>

#include <algorithm>
#include <cstdint>

#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"

namespace stepgate::emulator {
namespace {

/// Not the address of anything, and no handle of a stream or an event.
constexpr std::uintptr_t first_context = 0x1000;
constexpr std::uintptr_t context_step = 0x10;

/// Questions that the runtime answers without a context. Every other call that succeeds has one.
constexpr std::array calls_without_context = {
    CUPTI_RUNTIME_TRACE_CBID_cudaDriverGetVersion_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaRuntimeGetVersion_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceCount_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceProperties_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDeviceProperties_v12000,
    CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000,
    CUPTI_RUNTIME_TRACE_CBID_cudaDeviceCanAccessPeer_v4000,
    CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetByPCIBusId_v4010,
    CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetPCIBusId_v4010,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetErrorString_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetErrorName_v6050,
    CUPTI_RUNTIME_TRACE_CBID_cudaThreadExchangeStreamCaptureMode_v10010,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDriverEntryPoint_v11030,
    CUPTI_RUNTIME_TRACE_CBID_cudaGetDriverEntryPointByVersion_v12050,
};

bool needs_context(unsigned id) {
  return std::none_of(calls_without_context.begin(), calls_without_context.end(),
                      [id](CUpti_runtime_api_trace_cbid other) { return static_cast<unsigned>(other) == id; });
}

/// Whether the calling thread has a current context. Which one is the thread's device.
thread_local bool is_bound = false;

CUcontext context_of(int device) {
  return reinterpret_cast<CUcontext>(first_context + static_cast<std::uintptr_t>(device) * context_step);
}

bool is_in_range(int device) { return device >= 0 && static_cast<std::size_t>(device) < most_contexts; }

[[maybe_unused]] const bool registered = register_observer(driver_contexts());

}  // namespace

void DriverContexts::left(const ApiCall& call) {
  if (call.domain != ApiDomain::runtime || call.outcome != 0) return;
  const int device = thread_state().device;
  if (is_bound && is_active(device)) return;
  if (is_in_range(device) && needs_context(call.id)) {
    active_[static_cast<std::size_t>(device)] = true;
    is_bound = true;
  }
}

CUcontext DriverContexts::retain(int device) {
  active_[static_cast<std::size_t>(device)] = true;
  return context_of(device);
}

bool DriverContexts::is_active(int device) const {
  return is_in_range(device) && active_[static_cast<std::size_t>(device)];
}

std::optional<int> DriverContexts::device_of(CUcontext context) const {
  for (int device = 0; is_in_range(device); ++device) {
    if (context == context_of(device) && is_active(device)) return device;
  }
  return std::nullopt;
}

CUcontext DriverContexts::current() const { return is_bound ? context_of(thread_state().device) : nullptr; }

void DriverContexts::set_current(CUcontext context) {
  const std::optional<int> device = device_of(context);
  is_bound = device.has_value();
  if (device) thread_state().device = *device;
}

DriverContexts& driver_contexts() {
  // Never destroyed: the machine outlives the destructors of static variables.
  static DriverContexts* const contexts = new DriverContexts;
  return *contexts;
}

}  // namespace stepgate::emulator
