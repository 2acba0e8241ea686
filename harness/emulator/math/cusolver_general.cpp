// Routines of cuSOLVER whose types are arguments, and singular values: one kernel a call. Matrices are left as they
// are; `info` says success.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "emulator/math/cusolver_state.h"
#include "emulator/math/solver_workspaces.h"

namespace stepgate::emulator {
namespace {

struct AskedBytes {
  size_t* device;
  size_t* host;
};

cusolverStatus_t answer_bytes(cusolverDnHandle_t handle, std::int64_t bytes, const AskedBytes& asked) {
  if (cusolver_handles().find(handle) == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (asked.device == nullptr || asked.host == nullptr || bytes < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  *asked.device = static_cast<size_t>(bytes);
  *asked.host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

std::int64_t bytes_of_type(cudaDataType type, std::string_view function) {
  return row_of(math_type_of(type, function)).bits / 8;
}

std::int64_t eigen_bytes(std::int64_t n, cusolverEigMode_t vectors, cudaDataType type, std::string_view function) {
  return eigen_workspace_bytes(n, vectors == CUSOLVER_EIG_MODE_VECTOR, math_type_of(type, function));
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

// Singular values by Jacobi's method. `real`: the type of the values themselves.
#define STEPGATE_CUSOLVER_SINGULAR(letter, type, real, kind)                                                           \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, int, int m,     \
                                                         int n, const type*, int, const real*, const type*, int,       \
                                                         const type*, int, int* elements, gesvdjInfo_t) {              \
    return answer_elements(handle, workspace_elements(SolverRoutine::gesvj, {m, n}), elements);                        \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t, int, int m, int n, type*,  \
                                              int, real*, type*, int, type*, int, type*, int, int* info,               \
                                              gesvdjInfo_t) {                                                          \
    return submit_cusolver(handle, {#letter "gesvdj", m, n, std::min(m, n), 1, kind}, zeros(info, 1));                 \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched_bufferSize(                                                       \
      cusolverDnHandle_t handle, cusolverEigMode_t, int m, int n, const type*, int, const real*, const type*, int,     \
      const type*, int, int* elements, gesvdjInfo_t, int batch) {                                                      \
    const auto one = workspace_elements(SolverRoutine::gesvj, {m, n});                                                 \
    return answer_elements(handle, workspace_of_batch(one, batch), elements);                                          \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t, int m, int n,       \
                                                     type*, int, real*, type*, int, type*, int, type*, int, int* info, \
                                                     gesvdjInfo_t, int batch) {                                        \
    return submit_cusolver(handle, {#letter "gesvdjBatched", m, n, std::min(m, n), batch, kind}, zeros(info, batch));  \
  }

extern "C" {

STEPGATE_CUSOLVER_SINGULAR(S, float, float, MathType::f32)
STEPGATE_CUSOLVER_SINGULAR(D, double, double, MathType::f64)
STEPGATE_CUSOLVER_SINGULAR(C, cuComplex, float, MathType::c64)
STEPGATE_CUSOLVER_SINGULAR(Z, cuDoubleComplex, double, MathType::c128)

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t, int64_t n,
                                             cudaDataType type, const void*, int64_t, cudaDataType,
                                             size_t* device_bytes, size_t* host_bytes) {
  const std::int64_t elements = workspace_elements(SolverRoutine::potrf, {n, n});
  return answer_bytes(handle, elements * bytes_of_type(type, "cusolverDnXpotrf"), {device_bytes, host_bytes});
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t, int64_t n,
                                  cudaDataType type, void*, int64_t, cudaDataType, void*, size_t, void*, size_t,
                                  int* info) {
  return submit_cusolver(handle, {"Xpotrf", n, n, n, 1, math_type_of(type, "cusolverDnXpotrf")}, zeros(info, 1));
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t, int64_t n,
                                  int64_t columns, cudaDataType type, const void*, int64_t, cudaDataType, void*,
                                  int64_t, int* info) {
  return submit_cusolver(handle, {"Xpotrs", n, columns, n, 1, math_type_of(type, "cusolverDnXpotrs")}, zeros(info, 1));
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType type, const void*, int64_t, cudaDataType, const void*,
                                             cudaDataType, size_t* device_bytes, size_t* host_bytes) {
  const std::int64_t elements = workspace_elements(SolverRoutine::geqrf, {m, n});
  return answer_bytes(handle, elements * bytes_of_type(type, "cusolverDnXgeqrf"), {device_bytes, host_bytes});
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void*, int64_t, cudaDataType, void*, cudaDataType, void*, size_t,
                                  void*, size_t, int* info) {
  return submit_cusolver(handle, {"Xgeqrf", m, n, n, 1, math_type_of(type, "cusolverDnXgeqrf")}, zeros(info, 1));
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t vectors,
                                             cublasFillMode_t, int64_t n, cudaDataType type, const void*, int64_t,
                                             cudaDataType, const void*, cudaDataType, size_t* device_bytes,
                                             size_t* host_bytes) {
  return answer_bytes(handle, eigen_bytes(n, vectors, type, "cusolverDnXsyevd"), {device_bytes, host_bytes});
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t, cublasFillMode_t,
                                  int64_t n, cudaDataType type, void*, int64_t, cudaDataType, void*, cudaDataType,
                                  void*, size_t, void*, size_t, int* info) {
  return submit_cusolver(handle, {"Xsyevd", n, n, n, 1, math_type_of(type, "cusolverDnXsyevd")}, zeros(info, 1));
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                                   cusolverEigMode_t vectors, cublasFillMode_t, int64_t n,
                                                   cudaDataType type, const void*, int64_t, cudaDataType, const void*,
                                                   cudaDataType, size_t* device_bytes, size_t* host_bytes,
                                                   int64_t batch) {
  const std::int64_t one = eigen_bytes(n, vectors, type, "cusolverDnXsyevBatched");
  return answer_bytes(handle, workspace_of_batch(one, batch), {device_bytes, host_bytes});
}

cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t,
                                        cublasFillMode_t, int64_t n, cudaDataType type, void*, int64_t, cudaDataType,
                                        void*, cudaDataType, void*, size_t, void*, size_t, int* info, int64_t batch) {
  return submit_cusolver(handle, {"XsyevBatched", n, n, n, batch, math_type_of(type, "cusolverDnXsyevBatched")},
                         zeros(info, batch));
}

}  // extern "C"
