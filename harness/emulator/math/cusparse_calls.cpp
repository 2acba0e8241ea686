// Handles and descriptors of cuSPARSE, and the calls whose workspace is documented. Results are left as they are.
#include <cusparse.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/math/library_kernels.h"
#include "emulator/math/library_objects.h"
#include "emulator/math/math_handle.h"

namespace stepgate::emulator {
namespace {

enum class SparseFormat { csr, coo };

struct SparseMatrix {
  SparseFormat format = SparseFormat::csr;
  std::int64_t elements = 0;
  cudaDataType type = CUDA_R_32F;
  int batch = 1;
};

struct DenseMatrix {
  std::int64_t columns = 0;
};

struct DenseVector {};

using CusparseObjects = LibraryObjects<cusparseStatus_t, CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_INVALID_VALUE>;

cusparseStatus_t submit(cusparseHandle_t handle, const MathProduct& product, Effect effect = {}) {
  const MathHandle* state = CusparseObjects::shelf<MathHandle>().find(handle);
  if (state == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const Outcome outcome = submit_product(state->stream, product, std::move(effect));
  return outcome == Outcome::ok ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/// Of products with coordinates the documentation says that they need no workspace. For compressed rows they need one,
/// and it does not say how large.
void refuse_workspace(const SparseMatrix& matrix, bool known_algorithm, std::string_view function) {
  if (matrix.format == SparseFormat::csr) refuse(function, "compressed rows: no public figure of their workspace");
  if (!known_algorithm) refuse(function, "an algorithm with a workspace of no public figure");
}

cusparseStatus_t answer_no_workspace(const SparseMatrix* matrix, bool known_algorithm, std::string_view function,
                                     size_t* bytes) {
  if (matrix == nullptr || bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  refuse_workspace(*matrix, known_algorithm, function);
  *bytes = 0;
  return CUSPARSE_STATUS_SUCCESS;
}

bool is_without_workspace(cusparseSpMMAlg_t algorithm) {
  return algorithm == CUSPARSE_SPMM_ALG_DEFAULT || algorithm == CUSPARSE_SPMM_COO_ALG1 ||
         algorithm == CUSPARSE_SPMM_COO_ALG3 || algorithm == CUSPARSE_SPMM_COO_ALG4;
}

bool is_without_workspace(cusparseSpMVAlg_t algorithm) {
  return algorithm == CUSPARSE_SPMV_ALG_DEFAULT || algorithm == CUSPARSE_SPMV_COO_ALG1;
}

/// The shape in the name is that of the result and the number of elements; each is used once per column.
MathProduct sparse_product(std::string_view operation, const SparseMatrix& matrix, std::int64_t columns,
                           std::string_view function) {
  MathProduct product;
  product.library = "cusparse";
  product.operation = operation;
  product.m = matrix.elements;
  product.n = columns;
  product.batch = matrix.batch;
  product.input = math_type_of(matrix.type, function);
  product.output = product.input;
  return product;
}

/// A kernel over `length` integers.
MathProduct integer_pass(std::string_view operation, std::int64_t length) {
  MathProduct product;
  product.library = "cusparse";
  product.operation = operation;
  product.m = length;
  product.input = MathType::i32;
  product.output = MathType::i32;
  return product;
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) { return CusparseObjects::make(handle, MathHandle{}); }

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return CusparseObjects::destroy<MathHandle>(handle, CUSPARSE_STATUS_NOT_INITIALIZED);
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return CusparseObjects::change<MathHandle>(handle,
                                             [&](MathHandle& state) { state.stream = stream_handle_of(stream); });
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  return CusparseObjects::change<MathHandle>(handle,
                                             [&](MathHandle& state) { state.pointer_mode = static_cast<int>(mode); });
}

const char* cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
    case CUSPARSE_STATUS_SUCCESS:
      return "success";
    case CUSPARSE_STATUS_NOT_INITIALIZED:
      return "initialization error";
    case CUSPARSE_STATUS_INVALID_VALUE:
      return "invalid value";
    case CUSPARSE_STATUS_EXECUTION_FAILED:
      return "kernel launch failure";
    default:
      return "unknown error";
  }
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t elements, void*,
                                   void*, void*, cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t,
                                   cudaDataType type) {
  if (std::min({rows, columns, elements}) < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return CusparseObjects::make(matrix, SparseMatrix{SparseFormat::csr, elements, type});
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t elements, void*,
                                   void*, void*, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType type) {
  if (std::min({rows, columns, elements}) < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return CusparseObjects::make(matrix, SparseMatrix{SparseFormat::coo, elements, type});
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return CusparseObjects::destroy<SparseMatrix>(matrix);
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int batch, int64_t, int64_t) {
  return CusparseObjects::change<SparseMatrix>(matrix, [&](SparseMatrix& state) { state.batch = batch; });
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void*, void*, void*) {
  return CusparseObjects::change<SparseMatrix>(matrix, [](const SparseMatrix&) {});  // no kernel here reads them
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t, void*,
                                     cudaDataType, cusparseOrder_t) {
  if (rows < 0 || columns < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return CusparseObjects::make(matrix, DenseMatrix{columns});
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return CusparseObjects::destroy<DenseMatrix>(matrix);
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int, int64_t) {
  return CusparseObjects::change<DenseMatrix>(matrix, [](const DenseMatrix&) {});  // the sparse one tells the batch
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t length, void*, cudaDataType) {
  return length < 0 ? CUSPARSE_STATUS_INVALID_VALUE : CusparseObjects::make(vector, DenseVector{});
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return CusparseObjects::destroy<DenseVector>(vector);
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t, const void*,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t algorithm,
                                         size_t* bytes) {
  return answer_no_workspace(CusparseObjects::shelf<SparseMatrix>().find(a), is_without_workspace(algorithm),
                             "cusparseSpMM", bytes);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void*,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t, const void*,
                              cusparseDnMatDescr_t c, cudaDataType, cusparseSpMMAlg_t algorithm, void*) {
  const SparseMatrix* matrix = CusparseObjects::shelf<SparseMatrix>().find(a);
  const DenseMatrix* result = CusparseObjects::shelf<DenseMatrix>().find(c);
  if (matrix == nullptr || result == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  refuse_workspace(*matrix, is_without_workspace(algorithm), "cusparseSpMM");
  return submit(handle, sparse_product("SpMM", *matrix, result->columns, "cusparseSpMM"));
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t algorithm,
                                         size_t* bytes) {
  return answer_no_workspace(CusparseObjects::shelf<SparseMatrix>().find(a), is_without_workspace(algorithm),
                             "cusparseSpMV", bytes);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t y, cudaDataType,
                              cusparseSpMVAlg_t algorithm, void*) {
  const SparseMatrix* matrix = CusparseObjects::shelf<SparseMatrix>().find(a);
  if (matrix == nullptr || CusparseObjects::shelf<DenseVector>().find(y) == nullptr)
    return CUSPARSE_STATUS_INVALID_VALUE;
  refuse_workspace(*matrix, is_without_workspace(algorithm), "cusparseSpMV");
  return submit(handle, sparse_product("SpMV", *matrix, 1, "cusparseSpMV"));
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int*, int elements, int rows, int*,
                                  cusparseIndexBase_t) {
  if (elements < 0 || rows < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return submit(handle, integer_pass("Xcoo2csr", rows + 1L));
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int length, int* order) {
  if (length < 0 || (order == nullptr && length > 0)) return CUSPARSE_STATUS_INVALID_VALUE;
  return submit(handle, integer_pass("CreateIdentityPermutation", length),
                [order, length] { std::iota(order, order + length, 0); });
}

}  // extern "C"
