#include "emulator/runtime/runtime_call.h"

#include "emulator/process/thread_state.h"

namespace stepgate::emulator {

cudaError_t RuntimeCall::end(cudaError_t error) {
  scope_.set_outcome(static_cast<int>(error));
  if (error != cudaSuccess && error != cudaErrorNotReady) thread_state().last_error = static_cast<int>(error);
  return error;
}

}  // namespace stepgate::emulator
