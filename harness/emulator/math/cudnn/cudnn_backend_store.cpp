#include "emulator/math/cudnn/cudnn_backend_store.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace stepgate::emulator {
namespace {

constexpr std::array<BackendKindRow, 27> kind_rows = {{
    {BackendKind::tensor, "Tensor", false},
    {BackendKind::convolution, "Convolution", false},
    {BackendKind::pointwise, "PointwiseMode", false},
    {BackendKind::matmul, "MatmulMode", false},
    {BackendKind::reduction, "ReductionMode", false},
    {BackendKind::rng, "RandomMode", false},
    {BackendKind::convolution_forward, "ConvolutionForward", true},
    {BackendKind::convolution_backward_data, "ConvolutionBackwardData", true},
    {BackendKind::convolution_backward_filter, "ConvolutionBackwardFilter", true},
    {BackendKind::pointwise_operation, "Pointwise", true},
    {BackendKind::matmul_operation, "Matmul", true},
    {BackendKind::reduction_operation, "Reduction", true},
    {BackendKind::reshape_operation, "Reshape", true},
    {BackendKind::rng_operation, "Random", true},
    {BackendKind::concatenate_operation, "Concatenate", true},
    {BackendKind::band_expand_operation, "ExpandBand", true},
    {BackendKind::band_contract_operation, "ContractBand", true},
    {BackendKind::attention_forward, "AttentionForward", true},
    {BackendKind::attention_backward, "AttentionBackward", true},
    {BackendKind::graph, "OperationGraph", false},
    {BackendKind::heuristics, "EngineHeuristics", false},
    {BackendKind::engine, "Engine", false},
    {BackendKind::configuration, "EngineConfiguration", false},
    {BackendKind::knob_choice, "KnobChoice", false},
    {BackendKind::knob_info, "KnobInfo", false},
    {BackendKind::plan, "ExecutionPlan", false},
    {BackendKind::variant_pack, "VariantPack", false},
}};

constexpr std::array<std::size_t, 11> type_bytes = {8, 8, 4, 1, 4, 8, 8, 8, 1, 16, 4};

struct NeededRow {
  BackendKind kind;
  BackendAttribute attribute;
};

constexpr std::array<NeededRow, 23> needed_rows = {{
    {BackendKind::tensor, BackendAttribute::tensor_type},
    {BackendKind::tensor, BackendAttribute::tensor_dims},
    {BackendKind::tensor, BackendAttribute::tensor_strides},
    {BackendKind::convolution_forward, BackendAttribute::operation_convolution},
    {BackendKind::convolution_forward, BackendAttribute::operation_image},
    {BackendKind::convolution_forward, BackendAttribute::operation_filter},
    {BackendKind::convolution_forward, BackendAttribute::operation_output},
    {BackendKind::convolution_backward_data, BackendAttribute::operation_convolution},
    {BackendKind::convolution_backward_data, BackendAttribute::operation_image},
    {BackendKind::convolution_backward_data, BackendAttribute::operation_filter},
    {BackendKind::convolution_backward_data, BackendAttribute::operation_output},
    {BackendKind::convolution_backward_filter, BackendAttribute::operation_convolution},
    {BackendKind::convolution_backward_filter, BackendAttribute::operation_image},
    {BackendKind::convolution_backward_filter, BackendAttribute::operation_filter},
    {BackendKind::convolution_backward_filter, BackendAttribute::operation_output},
    {BackendKind::graph, BackendAttribute::graph_operations},
    {BackendKind::heuristics, BackendAttribute::heuristics_graph},
    {BackendKind::heuristics, BackendAttribute::heuristics_mode},
    {BackendKind::engine, BackendAttribute::engine_graph},
    {BackendKind::configuration, BackendAttribute::configuration_engine},
    {BackendKind::plan, BackendAttribute::plan_configuration},
    {BackendKind::variant_pack, BackendAttribute::pack_ids},
    {BackendKind::variant_pack, BackendAttribute::pack_pointers},
}};

template <typename Number>
BackendValue value_of(BackendType type, Number number) {
  BackendValue value{type, 1, std::vector<std::byte>(sizeof number), {}};
  std::memcpy(value.bytes.data(), &number, sizeof number);
  return value;
}

/// One engine configuration for the graph of `heuristics`, as if a program had made it.
BackendPart only_configuration(const BackendData& heuristics) {
  BackendDescriptor engine{std::make_shared<BackendData>(BackendData{BackendKind::engine, false, {}})};
  engine.data->values[BackendAttribute::engine_graph] = heuristics.values.at(BackendAttribute::heuristics_graph);
  engine.data->values[BackendAttribute::engine_index] = value_of(BackendType::int64, std::int64_t{0});
  BackendDescriptor configuration{std::make_shared<BackendData>(BackendData{BackendKind::configuration, false, {}})};
  if (finalize(engine) != BackendAnswer::ok) return nullptr;
  configuration.data->values[BackendAttribute::configuration_engine] = {BackendType::descriptor, 1, {}, {engine.data}};
  return finalize(configuration) == BackendAnswer::ok ? configuration.data : nullptr;
}

void add_answers(BackendData& data) {
  const auto add = [&data](BackendAttribute attribute, BackendValue value) {
    data.values.try_emplace(attribute, std::move(value));
  };
  const auto none = [](BackendType type) { return BackendValue{type, 0, {}, {}}; };
  switch (data.kind) {
    case BackendKind::graph:
      add(BackendAttribute::graph_engine_count, value_of(BackendType::int64, std::int64_t{1}));
      break;
    case BackendKind::heuristics:
      add(BackendAttribute::heuristics_results, {BackendType::descriptor, 1, {}, {only_configuration(data)}});
      break;
    case BackendKind::engine:
      add(BackendAttribute::engine_index, value_of(BackendType::int64, std::int64_t{0}));
      add(BackendAttribute::engine_numerical_notes, none(BackendType::enumeration));
      add(BackendAttribute::engine_behavior_notes, none(BackendType::enumeration));
      add(BackendAttribute::engine_knobs, none(BackendType::descriptor));
      break;
    case BackendKind::configuration:
      add(BackendAttribute::configuration_knob_choices, none(BackendType::descriptor));
      add(BackendAttribute::configuration_workspace_bytes, value_of(BackendType::int64, std::int64_t{0}));
      add(BackendAttribute::configuration_shared_bytes, value_of(BackendType::int32, std::int32_t{0}));
      break;
    case BackendKind::plan:
      add(BackendAttribute::plan_workspace_bytes, value_of(BackendType::int64, std::int64_t{0}));
      break;
    default:
      break;
  }
}

BackendAnswer check(const BackendData& data) {
  for (const NeededRow& row : needed_rows) {
    if (row.kind == data.kind && find_value(data, row.attribute) == nullptr) return BackendAnswer::missing;
  }
  const auto count = [&data](BackendAttribute attribute) {
    const BackendValue* value = find_value(data, attribute);
    return value == nullptr ? 0 : value->count;
  };
  if (count(BackendAttribute::tensor_dims) != count(BackendAttribute::tensor_strides)) {
    return BackendAnswer::wrong_count;
  }
  if (count(BackendAttribute::pack_ids) != count(BackendAttribute::pack_pointers)) return BackendAnswer::wrong_count;
  const std::vector<std::int64_t> index = numbers_of(data, BackendAttribute::engine_index);
  if (!index.empty() && index.front() != 0) return BackendAnswer::not_supported;
  const BackendValue* operations = find_value(data, BackendAttribute::graph_operations);
  if (operations == nullptr) return BackendAnswer::ok;
  const bool all = std::all_of(operations->parts.begin(), operations->parts.end(),
                               [](const BackendPart& part) { return row_of(part->kind).is_operation; });
  return all && operations->count > 0 ? BackendAnswer::ok : BackendAnswer::missing;
}

BackendAnswer give_parts(const BackendValue& value, const BackendRequest& request, std::int64_t count) {
  const auto* to = static_cast<BackendDescriptor* const*>(request.elements);
  for (std::int64_t place = 0; place < count; ++place) {
    if (to[place] == nullptr) return BackendAnswer::null_pointer;
    // The receiver only reads: a finalized descriptor refuses changes.
    to[place]->data = std::const_pointer_cast<BackendData>(value.parts[static_cast<std::size_t>(place)]);
  }
  return BackendAnswer::ok;
}

}  // namespace

const BackendKindRow& row_of(BackendKind kind) { return kind_rows[static_cast<std::size_t>(kind)]; }

std::size_t bytes_of(BackendType type) { return type_bytes[static_cast<std::size_t>(type)]; }

BackendAnswer set_attribute(BackendDescriptor& descriptor, BackendAttribute attribute, const BackendArray& array) {
  if (descriptor.data->is_finalized) return BackendAnswer::finalized_already;
  if (array.count < 0) return BackendAnswer::wrong_count;
  if (array.count > 0 && array.elements == nullptr) return BackendAnswer::null_pointer;
  BackendValue value{array.type, array.count, {}, {}};
  const auto count = static_cast<std::size_t>(array.count);
  if (array.type == BackendType::descriptor) {
    for (const BackendDescriptor* part : std::span(static_cast<BackendDescriptor* const*>(array.elements), count)) {
      if (part == nullptr) return BackendAnswer::null_pointer;
      if (!part->data->is_finalized) return BackendAnswer::not_finalized;
      value.parts.push_back(part->data);
    }
  } else if (count > 0) {
    value.bytes.resize(count * bytes_of(array.type));
    std::memcpy(value.bytes.data(), array.elements, value.bytes.size());
  }
  descriptor.data->values.insert_or_assign(attribute, std::move(value));
  return BackendAnswer::ok;
}

BackendAnswer finalize(BackendDescriptor& descriptor) {
  if (descriptor.data->is_finalized) return BackendAnswer::finalized_already;
  const BackendAnswer answer = check(*descriptor.data);
  if (answer != BackendAnswer::ok) return answer;
  add_answers(*descriptor.data);
  descriptor.data->is_finalized = true;
  return BackendAnswer::ok;
}

BackendAnswer get_attribute(const BackendDescriptor& descriptor, BackendAttribute attribute,
                            const BackendRequest& request) {
  if (!descriptor.data->is_finalized) return BackendAnswer::not_finalized;
  const BackendValue* value = find_value(*descriptor.data, attribute);
  if (value == nullptr) return BackendAnswer::unknown;
  if (value->type != request.type) return BackendAnswer::wrong_type;
  if (request.count < 0) return BackendAnswer::wrong_count;
  if (request.found != nullptr) *request.found = value->count;
  const std::int64_t count = std::min(request.count, value->count);
  if (request.elements == nullptr || count == 0) return BackendAnswer::ok;
  if (value->type == BackendType::descriptor) return give_parts(*value, request, count);
  std::memcpy(request.elements, value->bytes.data(), static_cast<std::size_t>(count) * bytes_of(value->type));
  return BackendAnswer::ok;
}

const BackendValue* find_value(const BackendData& data, BackendAttribute attribute) {
  const auto at = data.values.find(attribute);
  return at == data.values.end() ? nullptr : &at->second;
}

const BackendData* find_part(const BackendData& data, BackendAttribute attribute) {
  const BackendValue* value = find_value(data, attribute);
  return value == nullptr || value->parts.empty() ? nullptr : value->parts.front().get();
}

std::vector<std::int64_t> numbers_of(const BackendData& data, BackendAttribute attribute) {
  const BackendValue* value = find_value(data, attribute);
  if (value == nullptr || value->type != BackendType::int64) return {};
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(value->count));
  if (!numbers.empty()) std::memcpy(numbers.data(), value->bytes.data(), value->bytes.size());
  return numbers;
}

bool flag_of(const BackendData& data, BackendAttribute attribute) {
  const BackendValue* value = find_value(data, attribute);
  return value != nullptr && !value->bytes.empty() && value->bytes.front() != std::byte{0};
}

}  // namespace stepgate::emulator
