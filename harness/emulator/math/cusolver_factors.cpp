// Factorisations of cuSOLVER by type: one kernel a call. Matrices are left as they are; `info` says success and pivots
// swap no rows.
#include "emulator/math/cusolver_state.h"
#include "emulator/math/solver_workspaces.h"

using namespace stepgate::emulator;

// `letter`: of the type in the vendor's names; `qr` and `mqr`: what the two routines of an orthogonal matrix are called
// for it.
#define STEPGATE_CUSOLVER_FACTORS(letter, type, kind, qr, mqr)                                                         \
  cusolverStatus_t cusolverDn##letter##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t, int n, type*,     \
                                                        int, int* elements) {                                          \
    return answer_elements(handle, workspace_elements(SolverRoutine::potrf, {n, n}), elements);                        \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t handle, cublasFillMode_t, int n, type*, int, type*,    \
                                             int, int* info) {                                                         \
    return submit_cusolver(handle, {#letter "potrf", n, n, n, 1, kind}, zeros(info, 1));                               \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##potrs(cusolverDnHandle_t handle, cublasFillMode_t, int n, int columns,          \
                                             const type*, int, type*, int, int* info) {                                \
    return submit_cusolver(handle, {#letter "potrs", n, columns, n, 1, kind}, zeros(info, 1));                         \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t, int n, type*[], int,  \
                                                    int* info, int batch) {                                            \
    return submit_cusolver(handle, {#letter "potrfBatched", n, n, n, batch, kind}, zeros(info, batch));                \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t, int n, int columns,   \
                                                    type*[], int, type*[], int, int* info, int batch) {                \
    return submit_cusolver(handle, {#letter "potrsBatched", n, columns, n, batch, kind}, zeros(info, 1));              \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, type*, int,           \
                                                        int* elements) {                                               \
    return answer_elements(handle, workspace_elements(SolverRoutine::getrf, {m, n}), elements);                        \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, type*, int, type*, int* pivots,  \
                                             int* info) {                                                              \
    return submit_cusolver(handle, {#letter "getrf", m, n, m < n ? m : n, 1, kind},                                    \
                           both(rows_in_order(pivots, m < n ? m : n, 1), zeros(info, 1)));                             \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##getrs(cusolverDnHandle_t handle, cublasOperation_t, int n, int columns,         \
                                             const type*, int, const int*, type*, int, int* info) {                    \
    return submit_cusolver(handle, {#letter "getrs", n, columns, n, 1, kind}, zeros(info, 1));                         \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, type*, int,           \
                                                        int* elements) {                                               \
    return answer_elements(handle, workspace_elements(SolverRoutine::geqrf, {m, n}), elements);                        \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##geqrf(cusolverDnHandle_t handle, int m, int n, type*, int, type*, type*, int,   \
                                             int* info) {                                                              \
    return submit_cusolver(handle, {#letter "geqrf", m, n, n, 1, kind}, zeros(info, 1));                               \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##qr##_bufferSize(cusolverDnHandle_t handle, int m, int n, int, const type*, int, \
                                                       const type*, int* elements) {                                   \
    return answer_elements(handle, workspace_elements(SolverRoutine::orgqr, {m, n}), elements);                        \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##qr(cusolverDnHandle_t handle, int m, int n, int k, type*, int, const type*,     \
                                          type*, int, int* info) {                                                     \
    return submit_cusolver(handle, {#letter #qr, m, n, k, 1, kind}, zeros(info, 1));                                   \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##mqr##_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side,              \
                                                        cublasOperation_t, int m, int n, int, const type*, int,        \
                                                        const type*, const type*, int, int* elements) {                \
    return answer_elements(handle, workspace_elements(SolverRoutine::ormqr, {m, n, side == CUBLAS_SIDE_LEFT}),         \
                           elements);                                                                                  \
  }                                                                                                                    \
  cusolverStatus_t cusolverDn##letter##mqr(cusolverDnHandle_t handle, cublasSideMode_t, cublasOperation_t, int m,      \
                                           int n, int k, const type*, int, const type*, type*, int, type*, int,        \
                                           int* info) {                                                                \
    return submit_cusolver(handle, {#letter #mqr, m, n, k, 1, kind}, zeros(info, 1));                                  \
  }

extern "C" {

STEPGATE_CUSOLVER_FACTORS(S, float, MathType::f32, orgqr, ormqr)
STEPGATE_CUSOLVER_FACTORS(D, double, MathType::f64, orgqr, ormqr)
STEPGATE_CUSOLVER_FACTORS(C, cuComplex, MathType::c64, ungqr, unmqr)
STEPGATE_CUSOLVER_FACTORS(Z, cuDoubleComplex, MathType::c128, ungqr, unmqr)

}  // extern "C"
