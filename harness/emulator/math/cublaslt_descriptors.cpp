// Descriptors of cuBLASLt: products, layouts, preferences, and which of their attributes are modelled.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/math/cublaslt_state.h"

namespace stepgate::emulator {
namespace {

struct MatmulAttributeRow {
  int attribute;
  std::size_t bytes;
};

// Attributes that change what is computed, and neither how many kernels there are nor their shape.
constexpr MatmulAttributeRow product_attributes[] = {
    {CUBLASLT_MATMUL_DESC_POINTER_MODE, 4},     {CUBLASLT_MATMUL_DESC_TRANSA, 4},
    {CUBLASLT_MATMUL_DESC_TRANSB, 4},           {CUBLASLT_MATMUL_DESC_EPILOGUE, 4},
    {CUBLASLT_MATMUL_DESC_BIAS_POINTER, 8},     {CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, 8},
    {CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, 4},   {CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, 4},
    {CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, 8},  {CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, 8},
    {CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, 8},  {CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, 8},
    {CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, 8},   {CUBLASLT_MATMUL_DESC_FAST_ACCUM, 1},
    {CUBLASLT_MATMUL_DESC_A_SCALE_MODE, 4},     {CUBLASLT_MATMUL_DESC_B_SCALE_MODE, 4},
    {CUBLASLT_MATMUL_DESC_C_SCALE_MODE, 4},     {CUBLASLT_MATMUL_DESC_D_SCALE_MODE, 4},
    {CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, 4}, {CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, 8},
};

constexpr MatmulAttributeRow layout_attributes[] = {
    {CUBLASLT_MATRIX_LAYOUT_ORDER, 4},
    {CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 4},
    {CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 8},
};

constexpr MatmulAttributeRow preference_attributes[] = {
    {CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, 8},   {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, 4},
    {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, 4}, {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, 4},
    {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, 4},
};

struct NewValue {
  std::string_view function;
  int attribute;
  const void* from;
  std::size_t bytes;
};

cublasStatus_t set(LtAttributes& attributes, std::span<const MatmulAttributeRow> known, const NewValue& value) {
  const auto row = std::ranges::find(known, value.attribute, &MatmulAttributeRow::attribute);
  if (row == known.end()) refuse(value.function, "attribute " + std::to_string(value.attribute));
  if (value.from == nullptr || value.bytes != row->bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::uint64_t bits = 0;
  std::memcpy(&bits, value.from, value.bytes);
  attributes[value.attribute] = bits;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename State>
cublasStatus_t set_of(const void* handle, std::span<const MatmulAttributeRow> known, const NewValue& value) {
  State* state = CublasObjects::shelf<State>().find(handle);
  return state == nullptr ? CUBLAS_STATUS_INVALID_VALUE : set(state->attributes, known, value);
}

}  // namespace

std::uint64_t value_of(const LtAttributes& attributes, int attribute, std::uint64_t otherwise) {
  const auto at = attributes.find(attribute);
  return at == attributes.end() ? otherwise : at->second;
}

}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* descriptor, cublasComputeType_t, cudaDataType_t) {
  return CublasObjects::make(descriptor, LtProductDescriptor{});
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descriptor) {
  return CublasObjects::destroy<LtProductDescriptor>(descriptor);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descriptor, cublasLtMatmulDescAttributes_t attribute,
                                              const void* from, size_t bytes) {
  return set_of<LtProductDescriptor>(descriptor, product_attributes,
                                     {"cublasLtMatmulDescSetAttribute", attribute, from, bytes});
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t) {
  return CublasObjects::make(layout, LtLayout{type, rows, columns, {}});
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return CublasObjects::destroy<LtLayout>(layout);
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* from,
                                                size_t bytes) {
  return set_of<LtLayout>(layout, layout_attributes, {"cublasLtMatrixLayoutSetAttribute", attribute, from, bytes});
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return CublasObjects::make(preference, LtPreference{});
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return CublasObjects::destroy<LtPreference>(preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, const void* from,
                                                    size_t bytes) {
  return set_of<LtPreference>(preference, preference_attributes,
                              {"cublasLtMatmulPreferenceSetAttribute", attribute, from, bytes});
}

}  // extern "C"
