// Convolutions that a program calls by cuDNN's own operators. A module calls aten::convolution, which has a kernel for
// CPUs.
#include <ATen/ATen.h>

#include <vector>

#include "emulator/values/value_operators.h"

namespace stepgate::emulator {
namespace {

struct ConvolutionSizes {
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> dilation;
  std::vector<std::int64_t> output_padding = {};
  std::int64_t groups = 1;
  bool transposed = false;
};

at::Tensor convolved(const Values& in, const at::Tensor& bias, ConvolutionSizes sizes) {
  if (sizes.output_padding.empty()) sizes.output_padding.assign(sizes.stride.size(), 0);
  return at::convolution(in[0].toTensor(), in[1].toTensor(), bias, sizes.stride, sizes.padding, sizes.dilation,
                         sizes.transposed, sizes.output_padding, sizes.groups);
}

Values compute_convolution(const ValueCall& call) {
  const Values& in = call.arguments;
  return {convolved(in, {},
                    {.stride = in[3].toIntVector(),
                     .padding = in[2].toIntVector(),
                     .dilation = in[4].toIntVector(),
                     .groups = in[5].toInt()})};
}

Values compute_convolution_transpose(const ValueCall& call) {
  const Values& in = call.arguments;
  return {convolved(in, {},
                    {.stride = in[4].toIntVector(),
                     .padding = in[2].toIntVector(),
                     .dilation = in[5].toIntVector(),
                     .output_padding = in[3].toIntVector(),
                     .groups = in[6].toInt(),
                     .transposed = true})};
}

Values compute_convolution_relu(const ValueCall& call) {
  const Values& in = call.arguments;
  return {convolved(in, optional_tensor(in[2]),
                    {.stride = in[3].toIntVector(),
                     .padding = in[4].toIntVector(),
                     .dilation = in[5].toIntVector(),
                     .groups = in[6].toInt()})
              .relu()};
}

Values compute_convolution_add_relu(const ValueCall& call) {
  const Values& in = call.arguments;
  const at::Tensor product = convolved(in, optional_tensor(in[4]),
                                       {.stride = in[5].toIntVector(),
                                        .padding = in[6].toIntVector(),
                                        .dilation = in[7].toIntVector(),
                                        .groups = in[8].toInt()});
  const at::Scalar factor = in[3].isNone() ? at::Scalar(1) : in[3].toScalar();
  return {at::add(product, in[2].toTensor(), factor).relu()};
}

constexpr ValueOperator convolution_rows[] = {
    {"aten::cudnn_convolution", compute_convolution},
    {"aten::cudnn_convolution_transpose", compute_convolution_transpose},
    {"aten::cudnn_convolution_relu", compute_convolution_relu},
    {"aten::cudnn_convolution_add_relu", compute_convolution_add_relu},
};

}  // namespace

std::span<const ValueOperator> convolution_values() { return convolution_rows; }

}  // namespace stepgate::emulator
