#include "emulator/fidelity/call_arguments.h"

#include <ATen/ATen.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stepgate::fidelity {
namespace {

using Value = std::optional<c10::IValue>;

struct DtypeRow {
  std::string_view word;
  at::ScalarType dtype;
};

constexpr DtypeRow dtype_rows[] = {
    {"float32", at::kFloat}, {"bfloat16", at::kBFloat16}, {"float16", at::kHalf}, {"float64", at::kDouble},
    {"int64", at::kLong},    {"int32", at::kInt},         {"int16", at::kShort},  {"int8", at::kChar},
    {"uint8", at::kByte},    {"bool", at::kBool},
};

std::optional<at::ScalarType> dtype_of(const std::string& word) {
  for (const DtypeRow& row : dtype_rows) {
    if (row.word == word) return row.dtype;
  }
  return std::nullopt;
}

const c10::Device device_of_call{c10::DeviceType::CUDA, 0};
const c10::Device host{c10::DeviceType::CPU};

/// What Python's numbers become beside a tensor.
bool is_number_of_python(const RecordedTensor& tensor) {
  return tensor.sizes.empty() && (tensor.dtype == "float64" || tensor.dtype == "int64" || tensor.dtype == "bool");
}

at::Tensor number_of_python(at::ScalarType dtype) {
  at::Tensor number = at::ones({}, at::TensorOptions().dtype(dtype));
  number.unsafeGetTensorImpl()->set_wrapped_number(true);
  return number;
}

class ArgumentMaker {
 public:
  explicit ArgumentMaker(const RecordedCall& call) : call_(call) {
    for (const RecordedArgument& argument : call.arguments) {
      for (const RecordedTensor& tensor : argument.tensors) has_sizes_ = has_sizes_ || !tensor.sizes.empty();
    }
  }

  /// Absent where the recorded argument does not fit.
  Value make(std::size_t place, const c10::Argument& wanted) const {
    const RecordedArgument& recorded = call_.arguments[place];
    Value value = of_type(recorded, *wanted.type(), place);
    if (value || !is_unknown(recorded) || !wanted.default_value()) return value;
    return *wanted.default_value();
  }

 private:
  static bool is_unknown(const RecordedArgument& recorded) {
    const bool is_number = recorded.kind == ArgumentKind::scalar || recorded.kind == ArgumentKind::scalars;
    return recorded.kind == ArgumentKind::nothing || (is_number && recorded.texts.empty());
  }

  Value of_type(const RecordedArgument& recorded, const c10::Type& type, std::size_t place) const {
    switch (type.kind()) {
      case c10::TypeKind::OptionalType:
        return optional_of(recorded, *type.expectRef<c10::OptionalType>().getElementType(), place);
      case c10::TypeKind::TensorType:
        if (recorded.kind != ArgumentKind::tensor) return std::nullopt;
        return tensor_of(recorded.tensors.front(), place);
      case c10::TypeKind::ListType:
        return list_of(recorded, *type.expectRef<c10::ListType>().getElementType(), place);
      case c10::TypeKind::DeviceObjType:
        if (recorded.kind != ArgumentKind::nothing) return std::nullopt;
        return c10::IValue(call_.place == CallPlace::to_host ? host : device_of_call);
      default:
        break;
    }
    if (recorded.kind != ArgumentKind::scalar || recorded.texts.empty()) return std::nullopt;
    return number_of(recorded.texts.front(), type.kind());
  }

  Value optional_of(const RecordedArgument& recorded, const c10::Type& element, std::size_t place) const {
    // A trace says as little of a device as of None.
    const bool names_device = element.kind() == c10::TypeKind::DeviceObjType && call_.place != CallPlace::quiet;
    if (recorded.kind == ArgumentKind::nothing && !names_device) return c10::IValue();
    return of_type(recorded, element, place);
  }

  static Value number_of(const std::string& text, c10::TypeKind kind) {
    const bool is_truth = text == "True" || text == "False";
    const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
    const double real = is_truth ? (text == "True" ? 1 : 0) : std::strtod(text.c_str(), nullptr);
    switch (kind) {
      case c10::TypeKind::IntType:
      case c10::TypeKind::SymIntType:
        if (!is_whole) return std::nullopt;
        return c10::IValue(static_cast<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10)));
      case c10::TypeKind::FloatType:
      case c10::TypeKind::SymFloatType:
        return c10::IValue(real);
      case c10::TypeKind::BoolType:
        if (!is_truth) return std::nullopt;
        return c10::IValue(text == "True");
      case c10::TypeKind::NumberType:
        if (is_truth) return c10::IValue(at::Scalar(text == "True"));
        if (!is_whole) return c10::IValue(at::Scalar(real));
        return c10::IValue(at::Scalar(static_cast<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10))));
      case c10::TypeKind::StringType:
        return c10::IValue(text);
      default:
        return std::nullopt;
    }
  }

  Value list_of(const RecordedArgument& recorded, const c10::Type& element, std::size_t place) const {
    if (element.kind() == c10::TypeKind::TensorType) return tensors_of(recorded, place);
    if (recorded.kind != ArgumentKind::scalars) return std::nullopt;
    c10::List<std::int64_t> whole;
    c10::List<double> real;
    c10::List<bool> truths;
    for (const std::string& text : recorded.texts) {
      const Value value = number_of(text, element.kind());
      if (!value) return std::nullopt;
      if (value->isInt()) whole.push_back(value->toInt());
      if (value->isDouble()) real.push_back(value->toDouble());
      if (value->isBool()) truths.push_back(value->toBool());
    }
    switch (element.kind()) {
      case c10::TypeKind::IntType:
      case c10::TypeKind::SymIntType:
        return c10::IValue(std::move(whole));
      case c10::TypeKind::FloatType:
        return c10::IValue(std::move(real));
      case c10::TypeKind::BoolType:
        return c10::IValue(std::move(truths));
      default:
        return std::nullopt;
    }
  }

  Value tensors_of(const RecordedArgument& recorded, std::size_t place) const {
    if (recorded.kind != ArgumentKind::tensors) return std::nullopt;
    c10::List<at::Tensor> all;
    for (const RecordedTensor& tensor : recorded.tensors) {
      const Value made = tensor_of(tensor, place);
      if (!made) return std::nullopt;
      all.push_back(made->toTensor());
    }
    return c10::IValue(std::move(all));
  }

  /// The first argument of "aten::copy_" is what it writes to.
  bool is_on_host(std::size_t place) const {
    const bool is_target = place == 0 && call_.name.back() == '_';
    if (call_.place == CallPlace::to_device) return !is_target;
    return call_.place == CallPlace::to_host && is_target;
  }

  Value tensor_of(const RecordedTensor& recorded, std::size_t place) const {
    const std::optional<at::ScalarType> dtype = dtype_of(recorded.dtype);
    if (!dtype) return std::nullopt;
    const bool copies = call_.place == CallPlace::to_device || call_.place == CallPlace::to_host;
    if (has_sizes_ && !copies && is_number_of_python(recorded)) return c10::IValue(number_of_python(*dtype));
    at::TensorOptions options = at::TensorOptions().dtype(*dtype).device(is_on_host(place) ? host : device_of_call);
    if (is_on_host(place) && call_.is_pinned) options = options.pinned_memory(true);
    if (recorded.strides.size() != recorded.sizes.size()) return c10::IValue(at::empty(recorded.sizes, options));
    return c10::IValue(at::empty_strided(recorded.sizes, recorded.strides, options));
  }

  const RecordedCall& call_;
  bool has_sizes_ = false;  ///< a tensor with one dimension or more
};

using Overloads = std::map<std::string, std::vector<c10::OperatorName>>;

/// By name, those with the shortest name of an overload first: "", "Tensor", "Scalar".
const Overloads& all_overloads() {
  static const Overloads all = [] {
    Overloads found;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
      if (!name.overload_name.starts_with("prim")) found[name.name].push_back(name);
    }
    for (auto& [name, overloads] : found) {
      std::sort(overloads.begin(), overloads.end(), [](const c10::OperatorName& one, const c10::OperatorName& other) {
        return std::pair(one.overload_name.size(), one.overload_name) <
               std::pair(other.overload_name.size(), other.overload_name);
      });
    }
    return found;
  }();
  return all;
}

std::optional<torch::jit::Stack> stack_for(const RecordedCall& call, const c10::FunctionSchema& schema) {
  if (schema.arguments().size() != call.arguments.size()) return std::nullopt;
  const ArgumentMaker maker(call);
  torch::jit::Stack stack;
  for (std::size_t place = 0; place < call.arguments.size(); ++place) {
    Value value = maker.make(place, schema.arguments()[place]);
    if (!value) return std::nullopt;
    stack.push_back(std::move(*value));
  }
  return stack;
}

}  // namespace

std::optional<PreparedCall> prepare(const RecordedCall& call) {
  const auto found = all_overloads().find(call.name);
  if (found == all_overloads().end()) return std::nullopt;
  for (const c10::OperatorName& name : found->second) {
    const std::optional<c10::OperatorHandle> overload = c10::Dispatcher::singleton().findSchema(name);
    if (!overload) continue;
    if (auto stack = stack_for(call, overload->schema())) return PreparedCall{*overload, std::move(*stack)};
  }
  return std::nullopt;
}

}  // namespace stepgate::fidelity
