// Triangular systems and batched factorisations of cuBLAS. Matrices are left as they are; what host code reads of a
// factorisation says that it went well.
#include <algorithm>
#include <string_view>
#include <utility>

#include "emulator/math/cublas_state.h"

namespace stepgate::emulator {
namespace {

cublasStatus_t submit(cublasHandle_t handle, const FactorCall& call, Effect effect = {}) {
  return submit_cublas(handle, product_of("cublas", call), std::move(effect));
}

struct TriangleSizes {
  cublasSideMode_t side;
  int m;
  int n;
  int a_leading;
  int b_leading;
  int batch = 1;
};

cublasStatus_t solve_triangle(cublasHandle_t handle, std::string_view name, MathType type, const TriangleSizes& sizes) {
  const int order = sizes.side == CUBLAS_SIDE_LEFT ? sizes.m : sizes.n;
  if (sizes.m < 0 || sizes.n < 0 || sizes.batch < 0 || sizes.a_leading < std::max(order, 1) ||
      sizes.b_leading < std::max(sizes.m, 1)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return submit(handle, {name, sizes.m, sizes.n, order, sizes.batch, type});
}

/// The rules of `info` that the host reads at once: 0, or minus the number of the argument that is wrong.
cublasStatus_t with_host_info(int* info, bool valid, int argument) {
  if (info != nullptr) *info = valid ? 0 : -argument;
  return valid ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

#define STEPGATE_CUBLAS_FACTORS(letter, type, kind)                                                                   \
  cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t,              \
                                         cublasOperation_t, cublasDiagType_t, int m, int n, const type*, const type*, \
                                         int lda, type*, int ldb) {                                                   \
    return solve_triangle(handle, #letter "trsm", kind, {side, m, n, lda, ldb});                                      \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t,          \
                                             cublasOperation_t, cublasDiagType_t, int m, int n, const type*,          \
                                             const type* const[], int lda, type* const[], int ldb, int batch) {       \
    return solve_triangle(handle, #letter "trsmBatched", kind, {side, m, n, lda, ldb, batch});                        \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, type* const[], int lda, int* pivots,      \
                                              int* info, int batch) {                                                 \
    if (n < 0 || batch < 0 || lda < std::max(n, 1)) return CUBLAS_STATUS_INVALID_VALUE;                               \
    return submit(handle, {#letter "getrfBatched", n, n, n, batch, kind},                                             \
                  both(rows_in_order(pivots, n, batch), zeros(info, batch)));                                         \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##getrsBatched(cublasHandle_t handle, cublasOperation_t, int n, int columns,           \
                                              const type* const[], int lda, const int*, type* const[], int ldb,       \
                                              int* info, int batch) {                                                 \
    const bool valid = n >= 0 && columns >= 0 && batch >= 0 && lda >= std::max(n, 1) && ldb >= std::max(n, 1);        \
    const int argument = n < 0 ? 2 : columns < 0 ? 3 : lda < std::max(n, 1) ? 5 : ldb < std::max(n, 1) ? 8 : 10;      \
    if (const auto status = with_host_info(info, valid, argument); status != CUBLAS_STATUS_SUCCESS) return status;    \
    return submit(handle, {#letter "getrsBatched", n, columns, n, batch, kind});                                      \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##geqrfBatched(cublasHandle_t handle, int m, int n, type* const[], int lda,            \
                                              type* const[], int* info, int batch) {                                  \
    const bool valid = m >= 0 && n >= 0 && batch >= 0 && lda >= std::max(m, 1);                                       \
    const int argument = m < 0 ? 1 : n < 0 ? 2 : lda < std::max(m, 1) ? 4 : 7;                                        \
    if (const auto status = with_host_info(info, valid, argument); status != CUBLAS_STATUS_SUCCESS) return status;    \
    return submit(handle, {#letter "geqrfBatched", m, n, n, batch, kind});                                            \
  }                                                                                                                   \
  cublasStatus_t cublas##letter##gelsBatched(cublasHandle_t handle, cublasOperation_t, int m, int n, int columns,     \
                                             type* const[], int lda, type* const[], int ldc, int* info,               \
                                             int* device_info, int batch) {                                           \
    const bool valid =                                                                                                \
        m >= 0 && n >= 0 && columns >= 0 && batch >= 0 && lda >= std::max(m, 1) && ldc >= std::max(m, 1);             \
    const int argument = m < 0                  ? 2                                                                   \
                         : n < 0                ? 3                                                                   \
                         : columns < 0          ? 4                                                                   \
                         : lda < std::max(m, 1) ? 6                                                                   \
                         : ldc < std::max(m, 1) ? 8                                                                   \
                                                : 11;                                                                 \
    if (const auto status = with_host_info(info, valid, argument); status != CUBLAS_STATUS_SUCCESS) return status;    \
    return submit(handle, {#letter "gelsBatched", m, columns, n, batch, kind}, zeros(device_info, batch));            \
  }

extern "C" {

STEPGATE_CUBLAS_FACTORS(S, float, MathType::f32)
STEPGATE_CUBLAS_FACTORS(D, double, MathType::f64)
STEPGATE_CUBLAS_FACTORS(C, cuComplex, MathType::c64)
STEPGATE_CUBLAS_FACTORS(Z, cuDoubleComplex, MathType::c128)

}  // extern "C"
