// Memory and events of other processes. The memory of an emulated device is private to its process.
#include <cuda_runtime_api.h>

#include "emulator/machine/refusal.h"

namespace {

constexpr const char* why = "memory and events that processes share";

}  // namespace

using stepgate::emulator::refuse;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* /*handle*/, void* /*address*/) {
  refuse("cudaIpcGetMemHandle", why);
}

cudaError_t cudaIpcOpenMemHandle(void** /*address*/, cudaIpcMemHandle_t /*handle*/, unsigned /*flags*/) {
  refuse("cudaIpcOpenMemHandle", why);
}

cudaError_t cudaIpcCloseMemHandle(void* /*address*/) { refuse("cudaIpcCloseMemHandle", why); }

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* /*handle*/, cudaEvent_t /*event*/) {
  refuse("cudaIpcGetEventHandle", why);
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* /*event*/, cudaIpcEventHandle_t /*handle*/) {
  refuse("cudaIpcOpenEventHandle", why);
}
}
