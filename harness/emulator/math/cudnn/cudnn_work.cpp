#include "emulator/math/cudnn/cudnn_work.h"

#include <array>
#include <cstddef>

namespace stepgate::emulator {
namespace {

constexpr std::array<std::string_view, 3> pass_names = {"ConvolutionForward", "ConvolutionBackwardData",
                                                        "ConvolutionBackwardFilter"};

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(number);
  }
  return text;
}

bool is_channels_last(const CudnnTensor& tensor) {
  return tensor.dims.size() >= 4 && tensor.strides.size() == tensor.dims.size() && tensor.dims[1] > 1 &&
         tensor.strides[1] == 1;
}

}  // namespace

std::int64_t elements_of(const CudnnTensor& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t dim : tensor.dims) elements *= dim;
  return elements;
}

double bytes_of(const CudnnTensor& tensor) {
  constexpr double bits_of_byte = 8;
  return static_cast<double>(elements_of(tensor)) * tensor.type.bits / bits_of_byte;
}

std::string text_of(const CudnnTensor& tensor) {
  return "[" + joined(tensor.dims) + "]" + (is_channels_last(tensor) ? " channels_last" : "");
}

CudnnWork work_of(const ConvolutionWork& convolution) {
  CudnnWork work;
  work.name = "cudnn " + std::string(pass_names[static_cast<std::size_t>(convolution.pass)]) + " x" +
              text_of(convolution.image) + " w" + text_of(convolution.filter) + " y" + text_of(convolution.output) +
              " pad " + joined(convolution.padding) + " stride " + joined(convolution.strides) + " dilation " +
              joined(convolution.dilations) + " " + std::string(convolution.image.type.name);
  // Each output element is a product over the filter of one output channel; both gradients take as many.
  const std::int64_t channels = convolution.filter.dims.empty() ? 0 : convolution.filter.dims.front();
  if (channels > 0) {
    work.flops = 2.0 * static_cast<double>(elements_of(convolution.output)) *
                 static_cast<double>(elements_of(convolution.filter)) / static_cast<double>(channels);
  }
  work.bytes = bytes_of(convolution.image) + bytes_of(convolution.filter) + bytes_of(convolution.output);
  return work;
}

CudnnWork streamed_work(std::string_view operation, std::span<const CudnnTensor> tensors, int passes) {
  CudnnWork work;
  work.name = "cudnn " + std::string(operation);
  if (!tensors.empty()) {
    work.name += " " + text_of(tensors.front()) + " " + std::string(tensors.front().type.name);
    work.flops = static_cast<double>(elements_of(tensors.front()));
  }
  for (const CudnnTensor& tensor : tensors) work.bytes += passes * bytes_of(tensor);
  return work;
}

CudnnWork dropout_states_work(const CudnnTensor& states) {
  CudnnWork work = streamed_work("DropoutStates", std::span(&states, 1));
  work.is_private = true;
  return work;
}

}  // namespace stepgate::emulator
