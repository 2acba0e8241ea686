#include "emulator/math/cudnn/cudnn_backend_numbers.h"

#include <array>
#include <string>

#include "emulator/machine/refusal.h"

namespace stepgate::emulator {
namespace {

struct KindRow {
  cudnnBackendDescriptorType_t number;
  BackendKind kind;
};

constexpr std::array<KindRow, 27> kind_rows = {{
    {CUDNN_BACKEND_TENSOR_DESCRIPTOR, BackendKind::tensor},
    {CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, BackendKind::convolution},
    {CUDNN_BACKEND_POINTWISE_DESCRIPTOR, BackendKind::pointwise},
    {CUDNN_BACKEND_MATMUL_DESCRIPTOR, BackendKind::matmul},
    {CUDNN_BACKEND_REDUCTION_DESCRIPTOR, BackendKind::reduction},
    {CUDNN_BACKEND_RNG_DESCRIPTOR, BackendKind::rng},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, BackendKind::convolution_forward},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, BackendKind::convolution_backward_data},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR, BackendKind::convolution_backward_filter},
    {CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, BackendKind::pointwise_operation},
    {CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, BackendKind::matmul_operation},
    {CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR, BackendKind::reduction_operation},
    {CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR, BackendKind::reshape_operation},
    {CUDNN_BACKEND_OPERATION_RNG_DESCRIPTOR, BackendKind::rng_operation},
    {CUDNN_BACKEND_OPERATION_CONCAT_DESCRIPTOR, BackendKind::concatenate_operation},
    {CUDNN_BACKEND_OPERATION_EXPAND_BAND_MATRIX_DESCRIPTOR, BackendKind::band_expand_operation},
    {CUDNN_BACKEND_OPERATION_CONTRACT_BAND_MATRIX_DESCRIPTOR, BackendKind::band_contract_operation},
    {CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR, BackendKind::attention_forward},
    {CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR, BackendKind::attention_backward},
    {CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, BackendKind::graph},
    {CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, BackendKind::heuristics},
    {CUDNN_BACKEND_ENGINE_DESCRIPTOR, BackendKind::engine},
    {CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, BackendKind::configuration},
    {CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, BackendKind::knob_choice},
    {CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR, BackendKind::knob_info},
    {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, BackendKind::plan},
    {CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, BackendKind::variant_pack},
}};

struct BackendAttributeRow {
  cudnnBackendAttributeName_t number;
  BackendAttribute attribute;
};

constexpr std::array<BackendAttributeRow, 46> attribute_rows = {{
    {CUDNN_ATTR_TENSOR_DATA_TYPE, BackendAttribute::tensor_type},
    {CUDNN_ATTR_TENSOR_DIMENSIONS, BackendAttribute::tensor_dims},
    {CUDNN_ATTR_TENSOR_STRIDES, BackendAttribute::tensor_strides},
    {CUDNN_ATTR_TENSOR_UNIQUE_ID, BackendAttribute::tensor_id},
    {CUDNN_ATTR_TENSOR_IS_VIRTUAL, BackendAttribute::tensor_is_virtual},
    {CUDNN_ATTR_TENSOR_IS_BY_VALUE, BackendAttribute::tensor_is_by_value},
    {CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, BackendAttribute::convolution_padding},
    {CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, BackendAttribute::convolution_strides},
    {CUDNN_ATTR_CONVOLUTION_DILATIONS, BackendAttribute::convolution_dilations},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, BackendAttribute::operation_convolution},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, BackendAttribute::operation_image},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, BackendAttribute::operation_filter},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, BackendAttribute::operation_output},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, BackendAttribute::operation_convolution},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, BackendAttribute::operation_image},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, BackendAttribute::operation_filter},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, BackendAttribute::operation_output},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, BackendAttribute::operation_convolution},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, BackendAttribute::operation_image},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, BackendAttribute::operation_filter},
    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, BackendAttribute::operation_output},
    {CUDNN_ATTR_OPERATION_MATMUL_ADESC, BackendAttribute::matmul_left},
    {CUDNN_ATTR_OPERATION_MATMUL_BDESC, BackendAttribute::matmul_right},
    {CUDNN_ATTR_OPERATION_MATMUL_CDESC, BackendAttribute::matmul_output},
    {CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, BackendAttribute::attention_query},
    {CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, BackendAttribute::attention_key},
    {CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC, BackendAttribute::attention_query},
    {CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC, BackendAttribute::attention_key},
    {CUDNN_ATTR_OPERATIONGRAPH_OPS, BackendAttribute::graph_operations},
    {CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, BackendAttribute::graph_engine_count},
    {CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, BackendAttribute::heuristics_graph},
    {CUDNN_ATTR_ENGINEHEUR_MODE, BackendAttribute::heuristics_mode},
    {CUDNN_ATTR_ENGINEHEUR_RESULTS, BackendAttribute::heuristics_results},
    {CUDNN_ATTR_ENGINE_OPERATION_GRAPH, BackendAttribute::engine_graph},
    {CUDNN_ATTR_ENGINE_GLOBAL_INDEX, BackendAttribute::engine_index},
    {CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, BackendAttribute::engine_numerical_notes},
    {CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, BackendAttribute::engine_behavior_notes},
    {CUDNN_ATTR_ENGINE_KNOB_INFO, BackendAttribute::engine_knobs},
    {CUDNN_ATTR_ENGINECFG_ENGINE, BackendAttribute::configuration_engine},
    {CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, BackendAttribute::configuration_knob_choices},
    {CUDNN_ATTR_ENGINECFG_WORKSPACE_SIZE, BackendAttribute::configuration_workspace_bytes},
    {CUDNN_ATTR_ENGINECFG_SHARED_MEMORY_USED, BackendAttribute::configuration_shared_bytes},
    {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, BackendAttribute::plan_configuration},
    {CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, BackendAttribute::plan_workspace_bytes},
    {CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, BackendAttribute::pack_ids},
    {CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, BackendAttribute::pack_pointers},
}};

struct TypeRow {
  cudnnBackendAttributeType_t number;
  BackendType type;
};

/// Every other type of the header is an enumeration.
constexpr std::array<TypeRow, 10> type_rows = {{
    {CUDNN_TYPE_HANDLE, BackendType::handle},
    {CUDNN_TYPE_INT64, BackendType::int64},
    {CUDNN_TYPE_INT32, BackendType::int32},
    {CUDNN_TYPE_BOOLEAN, BackendType::boolean},
    {CUDNN_TYPE_FLOAT, BackendType::float32},
    {CUDNN_TYPE_DOUBLE, BackendType::float64},
    {CUDNN_TYPE_VOID_PTR, BackendType::pointer},
    {CUDNN_TYPE_BACKEND_DESCRIPTOR, BackendType::descriptor},
    {CUDNN_TYPE_CHAR, BackendType::character},
    {CUDNN_TYPE_FRACTION, BackendType::fraction},
}};

struct AnswerRow {
  BackendAnswer answer;
  cudnnStatus_t status;
};

constexpr std::array<AnswerRow, 9> answer_rows = {{
    {BackendAnswer::ok, CUDNN_STATUS_SUCCESS},
    {BackendAnswer::null_pointer, CUDNN_STATUS_BAD_PARAM_NULL_POINTER},
    {BackendAnswer::not_finalized, CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED},
    {BackendAnswer::finalized_already, CUDNN_STATUS_NOT_INITIALIZED},
    {BackendAnswer::wrong_type, CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE},
    {BackendAnswer::wrong_count, CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND},
    {BackendAnswer::missing, CUDNN_STATUS_BAD_PARAM},
    {BackendAnswer::not_supported, CUDNN_STATUS_NOT_SUPPORTED},
    {BackendAnswer::unknown, CUDNN_STATUS_BAD_PARAM},
}};

}  // namespace

BackendKind backend_kind_of(cudnnBackendDescriptorType_t type) {
  for (const KindRow& row : kind_rows) {
    if (row.number == type) return row.kind;
  }
  refuse("cudnnBackendCreateDescriptor", "descriptors of type " + std::to_string(static_cast<int>(type)));
}

BackendAttribute backend_attribute_of(cudnnBackendAttributeName_t name) {
  for (const BackendAttributeRow& row : attribute_rows) {
    if (row.number == name) return row.attribute;
  }
  return static_cast<BackendAttribute>(static_cast<int>(BackendAttribute::unlisted) + static_cast<int>(name));
}

BackendType backend_type_of(cudnnBackendAttributeType_t type) {
  for (const TypeRow& row : type_rows) {
    if (row.number == type) return row.type;
  }
  return BackendType::enumeration;
}

cudnnStatus_t cudnn_status_of(BackendAnswer answer) {
  for (const AnswerRow& row : answer_rows) {
    if (row.answer == answer) return row.status;
  }
  return CUDNN_STATUS_INTERNAL_ERROR;
}

}  // namespace stepgate::emulator
