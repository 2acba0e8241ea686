// What the management library writes, as plain values. Nothing that it writes is trusted to be well formed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "environment/gpu/nvml_table.h"

namespace stepgate::nvml {

/// A library that fills the whole buffer leaves no zero at its end.
template <typename Buffer>
std::string text_in(const Buffer& buffer) {
  return {std::begin(buffer), std::find(std::begin(buffer), std::end(buffer), '\0')};
}

/// Absent for a type that the library does not define, and for a number that no integer holds.
std::optional<std::int64_t> whole_number(const FieldValue& field);

/// nvmlComputeMode_t: "default", "exclusive process", "mode 7".
std::string mode_named(std::int64_t mode);

}  // namespace stepgate::nvml
