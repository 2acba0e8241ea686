// Products of cuBLAS with vectors: one kernel a call, results left as they are.
#include <algorithm>
#include <string>
#include <string_view>

#include "emulator/machine/refusal.h"
#include "emulator/math/cublas_state.h"

namespace stepgate::emulator {
namespace {

struct VectorCall {
  std::string_view operation;  ///< "Sgemv"
  std::int64_t rows = 1;       ///< of the result
  std::int64_t columns = 1;    ///< the length of the sums
  MathType type = MathType::f32;
};

cublasStatus_t submit(cublasHandle_t handle, const VectorCall& call) {
  MathProduct product;
  product.library = "cublas";
  product.operation = call.operation;
  product.m = call.rows;
  product.k = call.columns;
  product.input = call.type;
  product.output = call.type;
  return submit_cublas(handle, product);
}

struct MatrixVector {
  cublasOperation_t operation;
  int m;
  int n;
  int leading;
  int x_step;
  int y_step;
};

cublasStatus_t multiply(cublasHandle_t handle, std::string_view name, MathType type, const MatrixVector& sizes) {
  if (sizes.m < 0 || sizes.n < 0 || sizes.leading < std::max(sizes.m, 1) || sizes.x_step == 0 || sizes.y_step == 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const bool transposed = sizes.operation != CUBLAS_OP_N;
  if (sizes.m == 0 || sizes.n == 0) return CUBLAS_STATUS_SUCCESS;
  return submit(handle, {name, transposed ? sizes.n : sizes.m, transposed ? sizes.m : sizes.n, type});
}

/// A sum that the host reads needs its value, which no kernel here computes.
cublasStatus_t sum(cublasHandle_t handle, std::string_view name, MathType type, int length) {
  const MathHandle* state = cublas_handles().find(handle);
  if (state == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (state->pointer_mode != CUBLAS_POINTER_MODE_DEVICE) {
    refuse("cublas" + std::string(name), "results in host memory");
  }
  // Without elements the result is a zero that is written all the same, so the kernel is there.
  return submit(handle, {name, 1, std::max(length, 0), type});
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

#define STEPGATE_CUBLAS_GEMV(letter, type, kind)                                                                       \
  cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t handle, cublasOperation_t operation, int m, int n,             \
                                         const type*, const type*, int lda, const type*, int incx, const type*, type*, \
                                         int incy) {                                                                   \
    return multiply(handle, #letter "gemv", kind, {operation, m, n, lda, incx, incy});                                 \
  }

extern "C" {

STEPGATE_CUBLAS_GEMV(S, float, MathType::f32)
STEPGATE_CUBLAS_GEMV(D, double, MathType::f64)
STEPGATE_CUBLAS_GEMV(C, cuComplex, MathType::c64)
STEPGATE_CUBLAS_GEMV(Z, cuDoubleComplex, MathType::c128)

cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float*, int, const float*, int, float*) {
  return sum(handle, "Sdot", MathType::f32, n);
}

cublasStatus_t cublasDdot_v2(cublasHandle_t handle, int n, const double*, int, const double*, int, double*) {
  return sum(handle, "Ddot", MathType::f64, n);
}

cublasStatus_t cublasCdotu_v2(cublasHandle_t handle, int n, const cuComplex*, int, const cuComplex*, int, cuComplex*) {
  return sum(handle, "Cdotu", MathType::c64, n);
}

cublasStatus_t cublasCdotc_v2(cublasHandle_t handle, int n, const cuComplex*, int, const cuComplex*, int, cuComplex*) {
  return sum(handle, "Cdotc", MathType::c64, n);
}

cublasStatus_t cublasZdotu_v2(cublasHandle_t handle, int n, const cuDoubleComplex*, int, const cuDoubleComplex*, int,
                              cuDoubleComplex*) {
  return sum(handle, "Zdotu", MathType::c128, n);
}

cublasStatus_t cublasZdotc_v2(cublasHandle_t handle, int n, const cuDoubleComplex*, int, const cuDoubleComplex*, int,
                              cuDoubleComplex*) {
  return sum(handle, "Zdotc", MathType::c128, n);
}

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void*, cudaDataType x_type, int, const void*,
                           cudaDataType y_type, int, void*, cudaDataType result_type, cudaDataType) {
  if (x_type != y_type || x_type != result_type) refuse("cublasDotEx", "several types");
  return sum(handle, "DotEx", math_type_of(x_type, "cublasDotEx"), n);
}

}  // extern "C"
