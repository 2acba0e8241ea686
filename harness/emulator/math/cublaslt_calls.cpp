// Products of cuBLASLt and the choice of an algorithm: there is one, it needs no workspace, and it is one kernel.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/machine/refusal.h"
#include "emulator/math/cublas_state.h"
#include "emulator/math/cublaslt_state.h"

namespace stepgate::emulator {
namespace {

struct EpilogueRow {
  int epilogue;
  std::string_view operation;  ///< the kernel's name says what follows the product
};

constexpr EpilogueRow epilogues[] = {
    {CUBLASLT_EPILOGUE_DEFAULT, "Matmul"},        {CUBLASLT_EPILOGUE_BIAS, "Matmul+bias"},
    {CUBLASLT_EPILOGUE_RELU, "Matmul+relu"},      {CUBLASLT_EPILOGUE_RELU_BIAS, "Matmul+bias+relu"},
    {CUBLASLT_EPILOGUE_GELU, "Matmul+gelu"},      {CUBLASLT_EPILOGUE_GELU_BIAS, "Matmul+bias+gelu"},
    {CUBLASLT_EPILOGUE_BGRADA, "Matmul+bgrad_a"}, {CUBLASLT_EPILOGUE_BGRADB, "Matmul+bgrad_b"},
};

std::string_view operation_of(const LtProductDescriptor& descriptor, std::string_view function) {
  const auto epilogue =
      static_cast<int>(value_of(descriptor.attributes, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT));
  for (const EpilogueRow& row : epilogues) {
    if (row.epilogue == epilogue) return row.operation;
  }
  refuse(function, "epilogue " + std::to_string(epilogue));
}

struct Sides {
  cublasLtMatmulDesc_t descriptor;
  cublasLtMatrixLayout_t a;
  cublasLtMatrixLayout_t b;
  cublasLtMatrixLayout_t c;
  cublasLtMatrixLayout_t d;
};

struct Shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

Shape shape_of(const LtLayout& layout, bool transposed) {
  const auto rows = static_cast<std::int64_t>(layout.rows);
  const auto columns = static_cast<std::int64_t>(layout.columns);
  return transposed ? Shape{columns, rows} : Shape{rows, columns};
}

bool is_transposed(const LtProductDescriptor& descriptor, int attribute) {
  return value_of(descriptor.attributes, attribute, CUBLAS_OP_N) != CUBLAS_OP_N;
}

std::int64_t batch_of(const LtLayout& layout) {
  return static_cast<std::int64_t>(value_of(layout.attributes, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 1));
}

/// The two 8-bit types go together; the kernel's name shows the left one.
void refuse_mixed_inputs(MathType a, MathType b, std::string_view function) {
  const auto is_narrow = [](MathType type) { return type == MathType::e4m3 || type == MathType::e5m2; };
  if (a != b && !(is_narrow(a) && is_narrow(b))) refuse(function, "two types of inputs");
}

void refuse_other_orders(const LtLayout& layout, std::string_view function) {
  const auto order = value_of(layout.attributes, CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_ORDER_COL);
  if (order != CUBLASLT_ORDER_COL) refuse(function, "matrices that are not stored by columns");
}

/// Absent where handles or sizes do not fit.
std::optional<MathProduct> product_of(const Sides& sides, std::string_view function) {
  const LtProductDescriptor* descriptor = lt_products().find(sides.descriptor);
  const LtLayout* a = lt_layouts().find(sides.a);
  const LtLayout* b = lt_layouts().find(sides.b);
  const LtLayout* c = lt_layouts().find(sides.c);
  const LtLayout* d = lt_layouts().find(sides.d);
  if (descriptor == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr) return std::nullopt;
  for (const LtLayout* layout : {a, b, c, d}) refuse_other_orders(*layout, function);
  const Shape left = shape_of(*a, is_transposed(*descriptor, CUBLASLT_MATMUL_DESC_TRANSA));
  const Shape right = shape_of(*b, is_transposed(*descriptor, CUBLASLT_MATMUL_DESC_TRANSB));
  const Shape result = shape_of(*d, false);
  if (left.columns != right.rows || left.rows != result.rows || right.columns != result.columns) return std::nullopt;
  if (batch_of(*a) != batch_of(*d) || batch_of(*b) != batch_of(*d)) return std::nullopt;
  MathProduct product;
  product.library = "cublaslt";
  product.operation = operation_of(*descriptor, function);
  product.m = result.rows;
  product.n = result.columns;
  product.k = left.columns;
  product.batch = batch_of(*d);
  product.input = math_type_of(a->type, function);
  product.output = math_type_of(d->type, function);
  refuse_mixed_inputs(product.input, math_type_of(b->type, function), function);
  return product;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  if (cublas_handles().find(handle) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (results == nullptr || found == nullptr || wanted < 1 || lt_preferences().find(preference) == nullptr ||
      !product_of({descriptor, a, b, c, d}, "cublasLtMatmulAlgoGetHeuristic")) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].workspaceSize = 0;
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t descriptor, const void*, const void*,
                              cublasLtMatrixLayout_t a, const void*, cublasLtMatrixLayout_t b, const void*, const void*,
                              cublasLtMatrixLayout_t c, void*, cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*,
                              void*, size_t, cudaStream_t stream) {
  // LibTorch gives handles of cuBLAS, which the documentation allows.
  if (cublas_handles().find(handle) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto product = product_of({descriptor, a, b, c, d}, "cublasLtMatmul");
  if (!product) return CUBLAS_STATUS_INVALID_VALUE;
  return cublas_status_of(submit_product(stream_handle_of(stream), *product));
}

}  // extern "C"
