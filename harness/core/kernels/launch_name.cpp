#include "core/kernels/launch_name.h"

#include <cstddef>

namespace stepgate {
namespace {

constexpr std::string_view of_operator = " of ";
constexpr std::string_view between_operands = ", ";
constexpr std::string_view no_argument = "None";

/// Where the operand at the begin of `operands` ends: a list has such commas too.
std::size_t end_of_operand(std::string_view operands) {
  int open_lists = 0;
  for (std::size_t at = 0; at < operands.size(); ++at) {
    if (operands[at] == '[') ++open_lists;
    if (operands[at] == ']') --open_lists;
    if (open_lists <= 0 && operands.substr(at).starts_with(between_operands)) return at;
  }
  return operands.size();
}

}  // namespace

std::string own_kernel_name(std::string_view family, std::string_view op) {
  return std::string(family).append(of_operator).append(op);
}

std::string library_call_name(std::string_view op, std::string_view operands) {
  return std::string(op).append("(").append(operands).append(")");
}

std::string calibration_key(std::string_view library_call) {
  const auto open = library_call.find('(');
  if (open == std::string_view::npos || !library_call.ends_with(')')) return std::string(library_call);
  std::string_view operands = library_call.substr(open + 1, library_call.size() - open - 2);
  std::string kept;
  while (!operands.empty()) {
    const std::size_t end = end_of_operand(operands);
    const std::string_view operand = operands.substr(0, end);
    if (operand != no_argument) kept.append(kept.empty() ? "" : between_operands).append(operand);
    operands.remove_prefix(end == operands.size() ? end : end + between_operands.size());
  }
  return library_call_name(library_call.substr(0, open), kept);
}

std::string_view operator_of_launch(std::string_view name) {
  std::string_view op = name.substr(0, name.find('('));
  if (const auto at = op.rfind(of_operator); op.size() == name.size() && at != std::string_view::npos) {
    op.remove_prefix(at + of_operator.size());
  }
  return op.find("::") == std::string_view::npos ? std::string_view() : op;
}

}  // namespace stepgate
