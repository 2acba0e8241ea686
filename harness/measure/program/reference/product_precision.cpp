#include "measure/program/reference/product_precision.h"

#include <ATen/Context.h>

#include <string>

namespace stepgate {
namespace {

/// The older flag. LibTorch throws where it contradicts the newer setting, and then it is the opposite of that.
bool older_flag(const at::Context& context, bool newer_is_tf32) {
  try {
    return context.allowTF32CuBLAS();
  } catch (const c10::Error&) {
    return !newer_is_tf32;
  }
}

/// Sets both, since the older setter alone leaves a precision that is inherited from all backends. Returns how to set
/// them back. Up to LibTorch 2.9 names are taken and given.
[[maybe_unused]] std::function<void()> products_in_float32(
    at::Context& context, std::string (at::Context::*get)(const std::string&, const std::string&) const,
    void (at::Context::*set)(const std::string&, const std::string&, const std::string&)) {
  const std::string before = (context.*get)("cuda", "matmul");
  const bool flag = older_flag(context, before == "tf32");
  context.setAllowTF32CuBLAS(false);
  (context.*set)("cuda", "matmul", "ieee");
  return [&context, set, before, flag] {
    context.setAllowTF32CuBLAS(flag);
    (context.*set)("cuda", "matmul", before);
  };
}

template <typename Precision, typename Backend, typename Operator>
std::function<void()> products_in_float32(at::Context& context, Precision (at::Context::*get)(Backend, Operator) const,
                                          void (at::Context::*set)(Backend, Operator, Precision)) {
  const Precision before = (context.*get)(Backend::CUDA, Operator::MATMUL);
  const bool flag = older_flag(context, before == Precision::TF32);
  context.setAllowTF32CuBLAS(false);
  (context.*set)(Backend::CUDA, Operator::MATMUL, Precision::IEEE);
  return [&context, set, before, flag] {
    context.setAllowTF32CuBLAS(flag);
    (context.*set)(Backend::CUDA, Operator::MATMUL, before);
  };
}

}  // namespace

ProductsInFloat32::ProductsInFloat32()
    : restore_(products_in_float32(at::globalContext(), &at::Context::float32Precision,
                                   &at::Context::setFloat32Precision)) {}

}  // namespace stepgate
