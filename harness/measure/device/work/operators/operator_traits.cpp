#include "measure/device/work/operators/operator_traits.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>

#include <algorithm>

#include "measure/device/work/operators/waiting_operators.h"

namespace stepgate {
namespace {

constexpr std::string_view own_prefixes[] = {"aten::", "prim::", "prims::", "profiler::", "quantized::", "mkldnn::"};

/// Besides views, which their schemas tell.
constexpr std::string_view movers_of_nothing[] = {
    "aten::_fused_sdp_choice", "aten::_unsafe_view",      "aten::empty",         "aten::empty_like",
    "aten::empty_permuted",    "aten::empty_strided",     "aten::is_pinned",     "aten::is_same_size",
    "aten::new_empty",         "aten::new_empty_strided", "aten::record_stream", "aten::resize_",
    "aten::resize_as_",        "aten::result_type",       "aten::set_",          "aten::set_data"};

/// What they write over they do not read.
constexpr std::string_view overwriters[] = {"aten::bernoulli_", "aten::copy_",   "aten::exponential_", "aten::fill_",
                                            "aten::normal_",    "aten::random_", "aten::uniform_",     "aten::zero_"};

constexpr std::string_view gatherers[] = {"aten::embedding", "aten::gather", "aten::index", "aten::index_select",
                                          "aten::take"};

template <typename Names>
bool holds(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool has_tensors(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::TensorType) return true;
  if (type.kind() != c10::TypeKind::OptionalType && type.kind() != c10::TypeKind::ListType) return false;
  return std::ranges::any_of(type.containedTypes(), [](const c10::TypePtr& inner) { return has_tensors(*inner); });
}

bool is_dtype(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::ScalarTypeType) return true;
  return type.kind() == c10::TypeKind::OptionalType && is_dtype(*type.containedTypes().front());
}

bool is_written(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

ArgumentTraits traits_of(const c10::Argument& argument, bool overwrites) {
  const bool updated = is_written(argument) && !argument.is_out() && !overwrites;
  return {.has_tensors = has_tensors(*argument.type()),
          .is_dtype = is_dtype(*argument.real_type()),
          .moves = updated ? 2 : 1};
}

bool is_view(const c10::OperatorHandle& op) {
  if (op.hasTag(at::Tag::inplace_view)) return true;
  return std::ranges::any_of(op.schema().returns(), [](const c10::Argument& result) {
    return result.alias_info() != nullptr && !result.alias_info()->isWrite();
  });
}

}  // namespace

OperatorTraits traits_of(const c10::OperatorHandle& op) {
  const c10::FunctionSchema& schema = op.schema();
  OperatorTraits traits;
  traits.name = schema.name();
  for (const c10::Argument& argument : schema.arguments()) {
    traits.arguments.push_back(traits_of(argument, holds(overwriters, traits.name)));
    traits.changes_in_place |= is_written(argument) && !argument.is_out();
  }
  for (const c10::Argument& result : schema.returns()) traits.new_results.push_back(result.alias_info() == nullptr);
  traits.formula = flop_formula(traits.name);
  traits.wait = wait_rule_of(op);
  traits.copies = traits.name == "aten::copy_";
  traits.moves_nothing = is_view(op) || holds(movers_of_nothing, traits.name);
  traits.counts_no_flops = traits.moves_nothing || op.hasTag(at::Tag::pointwise) || op.hasTag(at::Tag::reduction) ||
                           op.hasTag(at::Tag::view_copy) || counts_no_flops(traits.name);
  traits.gathers = holds(gatherers, traits.name);
  traits.calls_user_code = std::ranges::none_of(
      own_prefixes, [&](std::string_view prefix) { return std::string_view(traits.name).starts_with(prefix); });
  traits.has_cpu_kernel = !traits.calls_user_code && op.hasKernelForDispatchKey(c10::DispatchKey::CPU);
  traits.has_cuda_kernel = !traits.calls_user_code && op.hasKernelForDispatchKey(c10::DispatchKey::CUDA);
  return traits;
}

}  // namespace stepgate
