// Contexts of the driver: the primary ones only. A context of the program's own, green ones included, is refused by
// name.
#include "emulator/driver/driver_call.h"
#include "emulator/driver/driver_contexts.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"

using namespace stepgate::emulator;

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxGetState, "cuDevicePrimaryCtxGetState");
  if (!process_machine().has_device(device)) return call.end(Outcome::invalid_device);
  if (flags == nullptr || active == nullptr) return call.end(Outcome::invalid_value);
  *flags = CU_CTX_SCHED_AUTO;
  *active = driver_contexts().is_active(device) ? 1 : 0;
  return call.end(Outcome::ok);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  if (!process_machine().has_device(device)) return call.end(Outcome::invalid_device);
  if (context == nullptr) return call.end(Outcome::invalid_value);
  *context = driver_contexts().retain(device);
  return call.end(Outcome::ok);
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent, "cuCtxGetCurrent");
  if (context == nullptr) return call.end(Outcome::invalid_value);
  *context = driver_contexts().current();
  return call.end(Outcome::ok);
}

CUresult cuCtxSetCurrent(CUcontext context) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuCtxSetCurrent, "cuCtxSetCurrent");
  if (context != nullptr && !driver_contexts().device_of(context)) return call.end(CUDA_ERROR_INVALID_CONTEXT);
  driver_contexts().set_current(context);
  return call.end(Outcome::ok);
}

CUresult cuCtxGetDevice(CUdevice* device) {
  DriverCall call(CUPTI_DRIVER_TRACE_CBID_cuCtxGetDevice, "cuCtxGetDevice");
  if (device == nullptr) return call.end(Outcome::invalid_value);
  if (driver_contexts().current() == nullptr) return call.end(CUDA_ERROR_INVALID_CONTEXT);
  *device = thread_state().device;
  return call.end(Outcome::ok);
}
