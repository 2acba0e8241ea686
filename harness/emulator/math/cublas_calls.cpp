// Handles of cuBLAS: stream, workspace, modes.
#include <cstdint>
#include <utility>

#include "emulator/math/cublas_state.h"

namespace stepgate::emulator {
namespace {

/// cuBLAS documentation, cublasSetWorkspace(): an address at another multiple is an invalid value.
constexpr std::uintptr_t workspace_alignment = 256;

/// Runs `change` on the state of the handle.
template <typename Change>
cublasStatus_t with_handle(cublasHandle_t handle, Change change) {
  MathHandle* state = cublas_handles().find(handle);
  return state == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : change(*state);
}

}  // namespace

cublasStatus_t cublas_status_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return CUBLAS_STATUS_SUCCESS;
    case Outcome::invalid_value:
      return CUBLAS_STATUS_INVALID_VALUE;
    case Outcome::out_of_memory:
      return CUBLAS_STATUS_ALLOC_FAILED;
    case Outcome::not_supported:
      return CUBLAS_STATUS_NOT_SUPPORTED;
    default:  // all others are a kernel that did not run
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

cublasStatus_t submit_cublas(cublasHandle_t handle, const MathProduct& product, Effect effect) {
  return with_handle(handle, [&](const MathHandle& state) {
    return cublas_status_of(submit_product(state.stream, product, std::move(effect)));
  });
}

}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) { return CublasObjects::make(handle, MathHandle{}); }

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  return CublasObjects::destroy<MathHandle>(handle, CUBLAS_STATUS_NOT_INITIALIZED);
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  return with_handle(handle, [&](MathHandle& state) {
    state.stream = stream_handle_of(stream);
    return CUBLAS_STATUS_SUCCESS;
  });
}

// No kernel here uses it.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t) {
  return with_handle(handle, [&](const MathHandle&) {
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(workspace) % workspace_alignment == 0;
    return is_aligned ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  });
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return with_handle(handle, [&](MathHandle& state) {
    state.math_mode = static_cast<int>(mode);
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return with_handle(handle, [&](const MathHandle& state) {
    if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *mode = static_cast<cublasMath_t>(state.math_mode);
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return with_handle(handle, [&](MathHandle& state) {
    if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_INVALID_VALUE;
    state.pointer_mode = static_cast<int>(mode);
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return with_handle(handle, [&](const MathHandle& state) {
    if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *mode = static_cast<cublasPointerMode_t>(state.pointer_mode);
    return CUBLAS_STATUS_SUCCESS;
  });
}

}  // extern "C"
