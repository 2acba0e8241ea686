#include "diagnose/trace/recorded_call_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <vector>

#include "core/kernels/launch_name.h"
#include "core/kernels/library_operands.h"

namespace stepgate {
namespace {

struct DtypeName {
  std::string_view in_trace;
  std::string_view in_record;
};

/// As LibTorch's profiler writes element types: by the names of C++. Another type is not known.
constexpr auto dtype_names = std::to_array<DtypeName>({
    {"float", "float32"},
    {"double", "float64"},
    {"c10::Half", "float16"},
    {"c10::BFloat16", "bfloat16"},
    {"long int", "int64"},
    {"long", "int64"},
    {"int", "int32"},
    {"short int", "int16"},
    {"short", "int16"},
    {"signed char", "int8"},
    {"unsigned char", "uint8"},
    {"bool", "bool"},
    {"c10::complex<float>", "complex64"},
    {"c10::complex<double>", "complex128"},
    {"c10::Float8_e4m3fn", "float8_e4m3fn"},
    {"c10::Float8_e5m2", "float8_e5m2"},
});

const DtypeName* row_of_dtype(std::string_view type) {
  const auto row =
      std::find_if(dtype_names.begin(), dtype_names.end(), [&](const DtypeName& one) { return one.in_trace == type; });
  return row == dtype_names.end() ? nullptr : &*row;
}

/// A trace has "0.10000000000000001" and "1.", a record "0.1" and "1".
std::string number_as_recorded(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool has_fraction = text.find_first_of(".e") != std::string_view::npos;
  if (!has_fraction || error != std::errc() || end != text.data() + text.size()) return std::string(text);
  return fmt::format("{}", value);
}

/// "1.", "False", "[16, 16]".
std::string argument_as_recorded(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 2) return number_as_recorded(text);
  constexpr std::string_view between = ", ";
  std::string_view rest = text.substr(1, text.size() - 2);
  std::string list = "[";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(between), rest.size());
    list.append(list.size() > 1 ? between : "").append(number_as_recorded(rest.substr(0, end)));
    rest.remove_prefix(end == rest.size() ? end : end + between.size());
  }
  return list + "]";
}

bool is_number_or_list(std::string_view type) { return type == "Scalar" || type == "ScalarList"; }

}  // namespace

std::optional<std::string> recorded_call_name(std::string_view op, const RecordedOperands& operands) {
  const std::size_t arguments = operands.types.size();
  if (operands.sizes.size() != arguments || operands.strides.size() != arguments ||
      operands.values.size() != arguments) {
    return std::nullopt;
  }
  std::vector<CalledTensor> tensors;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < arguments; ++i) {
    const std::string& type = operands.types[i];
    const std::string& value = operands.values[i];
    if (const DtypeName* dtype = row_of_dtype(type)) {
      if (operands.strides[i].size() != operands.sizes[i].size()) return std::nullopt;
      tensors.push_back({dtype->in_record, operands.sizes[i], operands.strides[i]});
    } else if (!value.empty() && (type.empty() || is_number_or_list(type))) {
      others.push_back(argument_as_recorded(value));
    } else if (!type.empty()) {
      return std::nullopt;  // a list of tensors, or a number that the profiler did not write
    }
  }
  return calibration_key(library_call_name(op, library_operands(tensors, others)));
}

}  // namespace stepgate
