// What a call of cuDNN computes, as its kernel's name and cost show it: shapes and types, without a header of the
// library.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate::emulator {

/// A type of elements: `number` is the library's own.
struct CudnnTypeRow {
  int number = 0;
  std::string_view name;
  unsigned bits = 0;
};

struct CudnnTensor {
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;
  CudnnTypeRow type;
};

std::int64_t elements_of(const CudnnTensor& tensor);
double bytes_of(const CudnnTensor& tensor);
/// "[8,3,32,32]", with " channels_last" where the second dimension is the innermost one.
std::string text_of(const CudnnTensor& tensor);

/// One kernel.
struct CudnnWork {
  std::string name;
  double flops = 0;
  double bytes = 0;
  bool is_private = false;  ///< what it writes is the library's own and no value of a tensor
};

enum class ConvolutionPass { forward, backward_data, backward_filter };

/// All three passes are told by the tensors of the forward one: a gradient has its tensor's shape.
struct ConvolutionWork {
  ConvolutionPass pass = ConvolutionPass::forward;
  CudnnTensor image;
  CudnnTensor filter;
  CudnnTensor output;
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
};

/// "cudnn ConvolutionForward x[8,3,32,32] w[16,3,3,3] y[8,16,32,32] pad 1,1 stride 1,1 dilation 1,1 float".
CudnnWork work_of(const ConvolutionWork& convolution);

/// Work that reads or writes each of `tensors` `passes` times, such as a normalisation: "cudnn <operation> [8,16,32,32]
/// float", with the shape of the first.
CudnnWork streamed_work(std::string_view operation, std::span<const CudnnTensor> tensors, int passes = 1);

/// Writes the states of the generator that dropout inside the library draws from. LibTorch makes them outside of
/// operators with values.
CudnnWork dropout_states_work(const CudnnTensor& states);

}  // namespace stepgate::emulator
