// The descriptors of cuDNN's backend interface: objects of a kind with attributes of a type. Neither kinds, attributes
// nor types have the library's numbers here; the calls translate them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace stepgate::emulator {

enum class BackendKind {
  tensor,
  convolution,
  pointwise,
  matmul,
  reduction,
  rng,
  convolution_forward,
  convolution_backward_data,
  convolution_backward_filter,
  pointwise_operation,
  matmul_operation,
  reduction_operation,
  reshape_operation,
  rng_operation,
  concatenate_operation,
  band_expand_operation,
  band_contract_operation,
  attention_forward,
  attention_backward,
  graph,
  heuristics,
  engine,
  configuration,
  knob_choice,
  knob_info,
  plan,
  variant_pack,
};

struct BackendKindRow {
  BackendKind kind;
  std::string_view name;
  bool is_operation;
};

const BackendKindRow& row_of(BackendKind kind);

/// The attributes that mean something here. All others are kept by the library's number.
enum class BackendAttribute : int {
  tensor_type,
  tensor_dims,
  tensor_strides,
  tensor_id,
  tensor_is_virtual,
  tensor_is_by_value,
  convolution_padding,
  convolution_strides,
  convolution_dilations,
  operation_convolution,  ///< of the three passes: the convolution, and the tensors of the forward pass
  operation_image,
  operation_filter,
  operation_output,
  matmul_left,
  matmul_right,
  matmul_output,
  attention_query,
  attention_key,
  graph_operations,
  graph_engine_count,
  heuristics_graph,
  heuristics_mode,
  heuristics_results,
  engine_graph,
  engine_index,
  engine_numerical_notes,
  engine_behavior_notes,
  engine_knobs,
  configuration_engine,
  configuration_knob_choices,
  configuration_workspace_bytes,
  configuration_shared_bytes,
  plan_configuration,
  plan_workspace_bytes,
  pack_ids,
  pack_pointers,
  unlisted = 1000,  ///< plus the library's number
};

/// Enumerations of the library are 4 bytes, whichever.
enum class BackendType {
  handle,
  int64,
  int32,
  boolean,
  float32,
  float64,
  pointer,
  descriptor,
  character,
  fraction,
  enumeration,
};

std::size_t bytes_of(BackendType type);

enum class BackendAnswer {
  ok,
  null_pointer,
  not_finalized,
  finalized_already,
  wrong_type,
  wrong_count,
  missing,        ///< an attribute that the kind needs is not set
  not_supported,  ///< no engine of that number
  unknown,        ///< an attribute that was not set and has no answer here
};

struct BackendData;
using BackendPart = std::shared_ptr<const BackendData>;

struct BackendValue {
  BackendType type = BackendType::int64;
  std::int64_t count = 0;
  std::vector<std::byte> bytes;    ///< of all types but descriptors
  std::vector<BackendPart> parts;  ///< of descriptors
};

struct BackendData {
  BackendKind kind = BackendKind::tensor;
  bool is_finalized = false;
  std::map<BackendAttribute, BackendValue> values;
};

/// What a handle of the library points to. Two handles can share their data: a query gives out parts of another one.
struct BackendDescriptor {
  std::shared_ptr<BackendData> data;
};

/// What a call hands over or asks for. `elements` is an array of BackendDescriptor* where the type is descriptor.
struct BackendArray {
  BackendType type = BackendType::int64;
  std::int64_t count = 0;
  const void* elements = nullptr;
};
struct BackendRequest {
  BackendType type = BackendType::int64;
  std::int64_t count = 0;
  void* elements = nullptr;       ///< nullptr: the program asks only for the count
  std::int64_t* found = nullptr;  ///< nullptr: the program does not ask for the count
};

BackendAnswer set_attribute(BackendDescriptor& descriptor, BackendAttribute attribute, const BackendArray& array);
/// Checks what the kind needs, and adds what a query of it answers: one engine, without knobs, notes and workspace.
BackendAnswer finalize(BackendDescriptor& descriptor);
BackendAnswer get_attribute(const BackendDescriptor& descriptor, BackendAttribute attribute,
                            const BackendRequest& request);

// For readers of finalized descriptors.
const BackendValue* find_value(const BackendData& data, BackendAttribute attribute);
/// The first part; nullptr where the attribute is not set.
const BackendData* find_part(const BackendData& data, BackendAttribute attribute);
/// Empty where the attribute is not set.
std::vector<std::int64_t> numbers_of(const BackendData& data, BackendAttribute attribute);
bool flag_of(const BackendData& data, BackendAttribute attribute);

}  // namespace stepgate::emulator
