// Matrix products of cuBLAS: one kernel a call, results left as they are.
#include <string_view>

#include "emulator/machine/refusal.h"
#include "emulator/math/cublas_state.h"

namespace stepgate::emulator {
namespace {

struct ProductCall {
  std::string_view operation;  ///< "Sgemm"
  cublasOperation_t a_operation;
  cublasOperation_t b_operation;
  ProductArguments sizes;
  MathType input;
  MathType output;
};

cublasStatus_t submit(cublasHandle_t handle, ProductCall call) {
  call.sizes.a_transposed = call.a_operation != CUBLAS_OP_N;
  call.sizes.b_transposed = call.b_operation != CUBLAS_OP_N;
  if (!is_valid(call.sizes)) return CUBLAS_STATUS_INVALID_VALUE;
  MathProduct product;
  product.library = "cublas";
  product.operation = call.operation;
  product.m = call.sizes.m;
  product.n = call.sizes.n;
  product.k = call.sizes.k;
  product.batch = call.sizes.batch;
  product.input = call.input;
  product.output = call.output;
  return submit_cublas(handle, product);
}

ProductArguments sizes_of(int m, int n, int k, int batch = 1) {
  ProductArguments sizes;
  sizes.m = m;
  sizes.n = n;
  sizes.k = k;
  sizes.batch = batch;
  return sizes;
}

ProductArguments with_leading(ProductArguments sizes, int a, int b, int c) {
  sizes.a_leading = a;
  sizes.b_leading = b;
  sizes.c_leading = c;
  return sizes;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

// The three calls of one type: a product, products at a distance, products at the addresses of a list.
#define STEPGATE_CUBLAS_PRODUCTS(letter, type, kind)                                                                   \
  cublasStatus_t cublas##letter##gemm_v2(cublasHandle_t handle, cublasOperation_t a_operation,                         \
                                         cublasOperation_t b_operation, int m, int n, int k, const type*, const type*, \
                                         int lda, const type*, int ldb, const type*, type*, int ldc) {                 \
    return submit(handle, {#letter "gemm", a_operation, b_operation, with_leading(sizes_of(m, n, k), lda, ldb, ldc),   \
                           kind, kind});                                                                               \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t a_operation,              \
                                                    cublasOperation_t b_operation, int m, int n, int k, const type*,   \
                                                    const type*, int lda, long long, const type*, int ldb, long long,  \
                                                    const type*, type*, int ldc, long long, int batch) {               \
    return submit(handle, {#letter "gemmStridedBatched", a_operation, b_operation,                                     \
                           with_leading(sizes_of(m, n, k, batch), lda, ldb, ldc), kind, kind});                        \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##gemmBatched(cublasHandle_t handle, cublasOperation_t a_operation,                     \
                                             cublasOperation_t b_operation, int m, int n, int k, const type*,          \
                                             const type* const[], int lda, const type* const[], int ldb, const type*,  \
                                             type* const[], int ldc, int batch) {                                      \
    return submit(handle, {#letter "gemmBatched", a_operation, b_operation,                                            \
                           with_leading(sizes_of(m, n, k, batch), lda, ldb, ldc), kind, kind});                        \
  }

extern "C" {

STEPGATE_CUBLAS_PRODUCTS(S, float, MathType::f32)
STEPGATE_CUBLAS_PRODUCTS(D, double, MathType::f64)
STEPGATE_CUBLAS_PRODUCTS(C, cuComplex, MathType::c64)
STEPGATE_CUBLAS_PRODUCTS(Z, cuDoubleComplex, MathType::c128)

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t a_operation, cublasOperation_t b_operation, int m,
                             int n, int k, const float*, const void*, cudaDataType a_type, int lda, const void*,
                             cudaDataType b_type, int ldb, const float*, void*, cudaDataType c_type, int ldc) {
  if (a_type != b_type) refuse("cublasSgemmEx", "two types of inputs");
  return submit(handle, {"SgemmEx", a_operation, b_operation, with_leading(sizes_of(m, n, k), lda, ldb, ldc),
                         math_type_of(a_type, "cublasSgemmEx"), math_type_of(c_type, "cublasSgemmEx")});
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t a_operation, cublasOperation_t b_operation, int m,
                            int n, int k, const void*, const void*, cudaDataType a_type, int lda, const void*,
                            cudaDataType b_type, int ldb, const void*, void*, cudaDataType c_type, int ldc,
                            cublasComputeType_t, cublasGemmAlgo_t) {
  if (a_type != b_type) refuse("cublasGemmEx", "two types of inputs");
  return submit(handle, {"GemmEx", a_operation, b_operation, with_leading(sizes_of(m, n, k), lda, ldb, ldc),
                         math_type_of(a_type, "cublasGemmEx"), math_type_of(c_type, "cublasGemmEx")});
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t a_operation,
                                          cublasOperation_t b_operation, int m, int n, int k, const void*, const void*,
                                          cudaDataType a_type, int lda, long long, const void*, cudaDataType b_type,
                                          int ldb, long long, const void*, void*, cudaDataType c_type, int ldc,
                                          long long, int batch, cublasComputeType_t, cublasGemmAlgo_t) {
  if (a_type != b_type) refuse("cublasGemmStridedBatchedEx", "two types of inputs");
  return submit(
      handle, {"GemmStridedBatchedEx", a_operation, b_operation, with_leading(sizes_of(m, n, k, batch), lda, ldb, ldc),
               math_type_of(a_type, "cublasGemmStridedBatchedEx"), math_type_of(c_type, "cublasGemmStridedBatchedEx")});
}

}  // extern "C"
