#include "emulator/values/operator_facts.h"

#include <mutex>
#include <unordered_map>

#include "emulator/values/host_views.h"

namespace stepgate::emulator {
namespace {

struct TreatmentRow {
  std::string_view name;
  Treatment treatment;
};

// What LibTorch's registrations do not say. `parts`: allocations, and what has no result in the memory of a device.
constexpr TreatmentRow treatment_rows[] = {
    {"aten::empty", Treatment::parts},
    {"aten::empty_strided", Treatment::parts},
    {"aten::resize_", Treatment::parts},
    {"aten::set_", Treatment::parts},
    {"aten::record_stream", Treatment::parts},
    {"aten::is_pinned", Treatment::parts},
    {"aten::_pin_memory", Treatment::parts},
    {"aten::_local_scalar_dense", Treatment::parts},
    {"aten::_fused_sdp_choice", Treatment::parts},
    {"aten::_cudnn_init_dropout_state", Treatment::parts},
    // Copies of weights into one buffer.
    {"aten::_cudnn_rnn_flatten_weight", Treatment::parts},
    {"aten::copy_", Treatment::copying},
    // Made of operators of cuDNN. The CPU's convolution gives the values of a program on the CPU.
    {"aten::convolution", Treatment::whole},
    // A mask, a count or a limit of their arguments decides sizes or ways.
    {"aten::index", Treatment::reading},
    {"aten::_index_put_impl_", Treatment::reading},
    {"aten::masked_select", Treatment::reading},
    {"aten::masked_scatter_", Treatment::reading},
    {"aten::repeat_interleave", Treatment::reading},
    {"aten::bincount", Treatment::reading},
    {"aten::histc", Treatment::reading},
    {"aten::is_nonzero", Treatment::reading},
    {"aten::multinomial", Treatment::reading},
    {"aten::normal", Treatment::reading},
    // The rows of the first result, or the result itself.
    {"aten::nonzero", Treatment::answered},
    {"aten::_unique2", Treatment::answered},
    {"aten::unique_consecutive", Treatment::answered},
    {"aten::equal", Treatment::answered},
};

bool is_view(const c10::FunctionSchema& schema) {
  for (const c10::Argument& result : schema.returns()) {
    if (result.alias_info() == nullptr || is_written(result)) return false;
  }
  return !schema.returns().empty();
}

std::optional<std::size_t> generator_of(const c10::FunctionSchema& schema) {
  for (std::size_t place = 0; place < schema.arguments().size(); ++place) {
    if (schema.arguments()[place].name() == "generator") return place;
  }
  return std::nullopt;
}

Treatment treatment_of(const c10::OperatorHandle& op, const OperatorFacts& facts) {
  if (facts.by_hand != nullptr) return Treatment::whole;
  if (const std::optional<Treatment> listed = listed_treatment(facts.name)) return *listed;
  if (is_view(op.schema()) || op.hasTag(at::Tag::inplace_view)) return Treatment::parts;
  if (facts.name.starts_with("c10d::")) return Treatment::parts;  // the process group moves the bytes
  return op.hasKernelForDispatchKey(c10::DispatchKey::CUDA) ? Treatment::whole : Treatment::parts;
}

std::string refusal_of(const c10::OperatorHandle& op, const OperatorFacts& facts) {
  if (facts.treatment == Treatment::parts || facts.by_hand != nullptr) return "";
  if (!op.hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)) {
    return "it has no kernel for CPUs, and its values are not written by hand";
  }
  const bool has_answer = facts.treatment == Treatment::reading || facts.treatment == Treatment::answered;
  if (op.hasTag(at::Tag::dynamic_output_shape) && !has_answer) {
    return "the sizes of its results depend on values, and how its CUDA code reads them is not known";
  }
  if (op.hasTag(at::Tag::nondeterministic_seeded) && !facts.generator_at) {
    return "its kernel for CPUs would draw from the program's own generator";
  }
  return "";
}

OperatorFacts found_facts(const c10::OperatorHandle& op) {
  const c10::FunctionSchema& schema = op.schema();
  OperatorFacts facts;
  facts.name = schema.name();
  const bool is_first = schema.overload_name().empty();
  if (is_first && op.hasKernelForDispatchKey(c10::DispatchKey::CUDA)) facts.by_hand = find_value_operator(facts.name);
  facts.generator_at = generator_of(schema);
  facts.treatment = treatment_of(op, facts);
  facts.draws = facts.by_hand != nullptr ? facts.by_hand->draws : facts.generator_at.has_value();
  facts.refusal = refusal_of(op, facts);
  return facts;
}

/// Nothing of it is freed: destructors of static tensors call operators.
struct KnownFacts {
  std::mutex mutex;
  std::unordered_map<const c10::FunctionSchema*, OperatorFacts> by_schema;
};

KnownFacts& known_facts() {
  static KnownFacts& known = *new KnownFacts;
  return known;
}

}  // namespace

std::optional<Treatment> listed_treatment(std::string_view name) {
  for (const TreatmentRow& row : treatment_rows) {
    if (row.name == name) return row.treatment;
  }
  return std::nullopt;
}

const OperatorFacts& facts_of(const c10::OperatorHandle& op) {
  KnownFacts& known = known_facts();
  const std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.by_schema.find(&op.schema());
  if (found != known.by_schema.end()) return found->second;
  return known.by_schema.emplace(&op.schema(), found_facts(op)).first->second;
}

}  // namespace stepgate::emulator
