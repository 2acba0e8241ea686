#include "environment/gpu/nvml_values.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace stepgate::nvml {

std::string mode_named(std::int64_t mode) {
  constexpr std::array<const char*, 4> names = {"default", "exclusive thread", "prohibited", "exclusive process"};
  if (mode < 0 || mode >= static_cast<std::int64_t>(names.size())) return fmt::format("mode {}", mode);
  return names[static_cast<std::size_t>(mode)];
}

std::optional<std::int64_t> whole_number(const FieldValue& field) {
  switch (field.type) {
    case ValueType::float64:
      if (!(std::abs(field.value.float64) < 9e18)) return std::nullopt;
      return static_cast<std::int64_t>(field.value.float64);
    case ValueType::unsigned32:
      return field.value.unsigned32;
    case ValueType::unsigned_long:
      return static_cast<std::int64_t>(field.value.unsigned_long);
    case ValueType::unsigned64:
      return static_cast<std::int64_t>(field.value.unsigned64);
    case ValueType::signed64:
      return field.value.signed64;
    case ValueType::signed32:
      return field.value.signed32;
    case ValueType::unsigned16:
      return field.value.unsigned16;
  }
  return std::nullopt;
}

}  // namespace stepgate::nvml
