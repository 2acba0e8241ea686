// Handles and settings of cuSOLVER.
#include <algorithm>
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
  return cusolver_parameters().find(parameters) == nullptr ? CUSOLVER_STATUS_INVALID_VALUE : CUSOLVER_STATUS_SUCCESS;
}

template <typename Parameters>
cusolverStatus_t make_parameters(Parameters* parameters) {
  if (parameters == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *parameters = cusolver_parameters().add_as<Parameters>({});
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t destroy_parameters(const void* parameters) {
  return cusolver_parameters().remove(parameters) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

}  // namespace

MathShelf<MathHandle>& cusolver_handles() {
  // It lives until the process ends: LibTorch destroys handles in destructors of its own.
  static auto* const handles = new MathShelf<MathHandle>;
  return *handles;
}

MathShelf<SolverParameters>& cusolver_parameters() {
  static auto* const parameters = new MathShelf<SolverParameters>;
  return *parameters;
}

cusolverStatus_t submit_cusolver(cusolverDnHandle_t handle, const SolverCall& call, Effect effect) {
  const MathHandle* state = cusolver_handles().find(handle);
  if (state == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (std::min({call.m, call.n, call.k, call.batch}) < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  MathProduct product;
  product.library = "cusolver";
  product.operation = call.operation;
  product.m = call.m;
  product.n = call.n;
  product.k = call.k;
  product.batch = call.batch;
  product.input = call.type;
  product.output = call.type;
  return cusolver_status_of(submit_product(state->stream, product, std::move(effect)));
}

}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *handle = cusolver_handles().add_as<cusolverDnHandle_t>({});
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  return cusolver_handles().remove(handle) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  MathHandle* state = cusolver_handles().find(handle);
  if (state == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  state->stream = stream_handle_of(stream);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* parameters) { return make_parameters(parameters); }
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters) { return destroy_parameters(parameters); }
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t* parameters) { return make_parameters(parameters); }
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t parameters) { return destroy_parameters(parameters); }

cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t parameters, double) { return known_parameters(parameters); }
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t parameters, int) { return known_parameters(parameters); }
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t parameters, int) { return known_parameters(parameters); }

}  // extern "C"
