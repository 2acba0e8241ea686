#include "core/kernels/launch_name.h"

namespace stepgate {
namespace {

constexpr std::string_view of_operator = " of ";

}  // namespace

std::string own_kernel_name(std::string_view family, std::string_view op) {
  return std::string(family).append(of_operator).append(op);
}

std::string library_call_name(std::string_view op, std::string_view operands) {
  return std::string(op).append("(").append(operands).append(")");
}

std::string_view operator_of_launch(std::string_view name) {
  std::string_view op = name.substr(0, name.find('('));
  if (const auto at = op.rfind(of_operator); op.size() == name.size() && at != std::string_view::npos) {
    op.remove_prefix(at + of_operator.size());
  }
  return op.find("::") == std::string_view::npos ? std::string_view() : op;
}

}  // namespace stepgate
