// Handles and settings of cuSOLVER.
#include <algorithm>
#include <limits>
#include <utility>

#include "emulator/math/cusolver_state.h"

namespace stepgate::emulator {
namespace {

cusolverStatus_t cusolver_status_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok:
      return CUSOLVER_STATUS_SUCCESS;
    case Outcome::invalid_value:
      return CUSOLVER_STATUS_INVALID_VALUE;
    case Outcome::out_of_memory:
      return CUSOLVER_STATUS_ALLOC_FAILED;
    default:  // all others are a kernel that did not run
      return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
}

cusolverStatus_t known_parameters(const void* parameters) {
  return CusolverObjects::change<SolverParameters>(parameters, [](const SolverParameters&) {});
}

}  // namespace

cusolverStatus_t answer_elements(cusolverDnHandle_t handle, std::int64_t elements, int* answer) {
  if (cusolver_handles().find(handle) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  const bool has_room = elements >= 0 && elements <= std::numeric_limits<int>::max();
  if (answer == nullptr || !has_room) return CUSOLVER_STATUS_INVALID_VALUE;
  *answer = static_cast<int>(elements);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t submit_cusolver(cusolverDnHandle_t handle, const FactorCall& call, Effect effect) {
  const MathHandle* state = cusolver_handles().find(handle);
  if (state == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (std::min({call.m, call.n, call.k, call.batch}) < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  return cusolver_status_of(submit_product(state->stream, product_of("cusolver", call), std::move(effect)));
}

}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) { return CusolverObjects::make(handle, MathHandle{}); }

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  return CusolverObjects::destroy<MathHandle>(handle, CUSOLVER_STATUS_NOT_INITIALIZED);
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  return CusolverObjects::change<MathHandle>(
      handle, [&](MathHandle& state) { state.stream = stream_handle_of(stream); }, CUSOLVER_STATUS_NOT_INITIALIZED);
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* parameters) {
  return CusolverObjects::make(parameters, SolverParameters{});
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters) {
  return CusolverObjects::destroy<SolverParameters>(parameters);
}

cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* parameters) {
  return CusolverObjects::make(parameters, SolverParameters{});
}

cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t parameters) {
  return CusolverObjects::destroy<SolverParameters>(parameters);
}

cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t parameters, double) { return known_parameters(parameters); }
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t parameters, int) { return known_parameters(parameters); }
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t parameters, int) { return known_parameters(parameters); }

}  // extern "C"
