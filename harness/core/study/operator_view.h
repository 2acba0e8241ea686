// Which rows of the operators of a profile are shown, and in which order.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace stepgate {

enum class OperatorSort { self, total, calls, flops, bytes, allocated };
enum class OperatorsBy {
  call_site,  ///< an operator at a line of the user's code, whatever the sizes of its operands
  shape,      ///< an operator with its operands
  line        ///< all operators of a line
};

constexpr std::optional<OperatorSort> operator_sort_named(std::string_view name) {
  constexpr std::array<std::string_view, 6> names = {"self", "total", "calls", "flops", "bytes", "allocated"};
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (names[at] == name) return static_cast<OperatorSort>(at);
  }
  return std::nullopt;
}

/// "operator", "shape", "line".
constexpr std::optional<OperatorsBy> operators_by_named(std::string_view name) {
  if (name == "operator") return OperatorsBy::call_site;
  if (name == "shape") return OperatorsBy::shape;
  return name == "line" ? std::optional(OperatorsBy::line) : std::nullopt;
}

struct OperatorView {
  OperatorSort sort = OperatorSort::self;
  OperatorsBy by = OperatorsBy::call_site;
  std::size_t rows = 10;
};

}  // namespace stepgate
