// Convolutions of cuDNN's older interface, which LibTorch takes where its newer one is turned off. Each has one
// algorithm without workspace. The calls that measure algorithms are left to the stubs.
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/math/cudnn/cudnn_objects.h"

namespace {

using namespace stepgate::emulator;

constexpr cudnnConvolutionFwdAlgo_t forward_algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
constexpr cudnnConvolutionBwdDataAlgo_t data_algorithm = CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
constexpr cudnnConvolutionBwdFilterAlgo_t filter_algorithm = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;

struct Tensors {
  cudnnTensorDescriptor_t image;
  cudnnFilterDescriptor_t filter;
  cudnnTensorDescriptor_t output;
  cudnnConvolutionDescriptor_t convolution;
};

bool is_complete(const Tensors& tensors) {
  return tensors.image != nullptr && tensors.filter != nullptr && tensors.output != nullptr &&
         tensors.convolution != nullptr;
}

CudnnWork work_for(ConvolutionPass pass, const Tensors& tensors) {
  const cudnnConvolutionStruct& convolution = *tensors.convolution;
  return work_of(ConvolutionWork{pass, tensors.image->tensor, tensors.filter->tensor, tensors.output->tensor,
                                 convolution.padding, convolution.strides, convolution.dilations});
}

cudnnStatus_t convolve(const char* function, cudnnHandle_t handle, ConvolutionPass pass, const Tensors& tensors) {
  if (!is_complete(tensors)) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  return submit_cudnn(function, handle, work_for(pass, tensors));
}

template <typename Result>
struct AskedConvolution {
  int requested;
  int* returned;
  Result* results;
};

template <typename Result, typename Algorithm>
cudnnStatus_t answer(Algorithm algorithm, const Tensors& tensors, const AskedConvolution<Result>& asked) {
  const auto [requested, returned, results] = asked;
  if (!is_complete(tensors) || returned == nullptr || results == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (requested < 1) return CUDNN_STATUS_BAD_PARAM;
  *results = {};
  results->algo = algorithm;
  results->status = CUDNN_STATUS_SUCCESS;
  results->time = -1;  // as the library says of what it did not measure
  results->determinism = CUDNN_DETERMINISTIC;
  results->mathType = tensors.convolution->math;
  *returned = 1;
  return CUDNN_STATUS_SUCCESS;
}

template <typename Algorithm>
cudnnStatus_t answer_workspace(Algorithm algorithm, Algorithm modelled, std::size_t* bytes) {
  if (bytes == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (algorithm != modelled) return CUDNN_STATUS_NOT_SUPPORTED;
  *bytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* descriptor) {
  return create_cudnn(descriptor);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t descriptor) {
  return destroy_cudnn(descriptor);
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t descriptor, int length, const int pad[],
                                              const int stride[], const int dilation[], cudnnConvolutionMode_t mode,
                                              cudnnDataType_t) {
  if (descriptor == nullptr || pad == nullptr || stride == nullptr || dilation == nullptr) {
    return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  }
  if (length <= 0 || length > CUDNN_DIM_MAX - 2) return CUDNN_STATUS_NOT_SUPPORTED;
  if (mode != CUDNN_CROSS_CORRELATION) refuse("cudnnSetConvolutionNdDescriptor", "flipped filters");
  descriptor->padding.assign(pad, pad + length);
  descriptor->strides.assign(stride, stride + length);
  descriptor->dilations.assign(dilation, dilation + length);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t descriptor, int groups) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (groups < 1) return CUDNN_STATUS_BAD_PARAM;
  descriptor->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t descriptor, cudnnMathType_t math) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  descriptor->math = math;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t, const cudnnTensorDescriptor_t x,
                                                     const cudnnFilterDescriptor_t w,
                                                     const cudnnConvolutionDescriptor_t convolution,
                                                     const cudnnTensorDescriptor_t y, const int requested,
                                                     int* returned, cudnnConvolutionFwdAlgoPerf_t* results) {
  return answer(forward_algorithm, {x, w, y, convolution}, AskedConvolution{requested, returned, results});
}

cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t, const cudnnFilterDescriptor_t w,
                                                          const cudnnTensorDescriptor_t dy,
                                                          const cudnnConvolutionDescriptor_t convolution,
                                                          const cudnnTensorDescriptor_t dx, const int requested,
                                                          int* returned, cudnnConvolutionBwdDataAlgoPerf_t* results) {
  return answer(data_algorithm, {dx, w, dy, convolution}, AskedConvolution{requested, returned, results});
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t, const cudnnTensorDescriptor_t x,
                                                            const cudnnTensorDescriptor_t dy,
                                                            const cudnnConvolutionDescriptor_t convolution,
                                                            const cudnnFilterDescriptor_t dw, const int requested,
                                                            int* returned,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  return answer(filter_algorithm, {x, dw, dy, convolution}, AskedConvolution{requested, returned, results});
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, const cudnnTensorDescriptor_t,
                                                      const cudnnFilterDescriptor_t, const cudnnConvolutionDescriptor_t,
                                                      const cudnnTensorDescriptor_t,
                                                      cudnnConvolutionFwdAlgo_t algorithm, std::size_t* bytes) {
  return answer_workspace(algorithm, forward_algorithm, bytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t, const cudnnFilterDescriptor_t, const cudnnTensorDescriptor_t, const cudnnConvolutionDescriptor_t,
    const cudnnTensorDescriptor_t, cudnnConvolutionBwdDataAlgo_t algorithm, std::size_t* bytes) {
  return answer_workspace(algorithm, data_algorithm, bytes);
}

cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t, const cudnnTensorDescriptor_t, const cudnnTensorDescriptor_t, const cudnnConvolutionDescriptor_t,
    const cudnnFilterDescriptor_t, cudnnConvolutionBwdFilterAlgo_t algorithm, std::size_t* bytes) {
  return answer_workspace(algorithm, filter_algorithm, bytes);
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void*, const cudnnTensorDescriptor_t x, const void*,
                                      const cudnnFilterDescriptor_t w, const void*,
                                      const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionFwdAlgo_t, void*,
                                      std::size_t, const void*, const cudnnTensorDescriptor_t y, void*) {
  return convolve("cudnnConvolutionForward", handle, ConvolutionPass::forward, {x, w, y, convolution});
}

cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void*, const cudnnFilterDescriptor_t w,
                                           const void*, const cudnnTensorDescriptor_t dy, const void*,
                                           const cudnnConvolutionDescriptor_t convolution,
                                           cudnnConvolutionBwdDataAlgo_t, void*, std::size_t, const void*,
                                           const cudnnTensorDescriptor_t dx, void*) {
  return convolve("cudnnConvolutionBackwardData", handle, ConvolutionPass::backward_data, {dx, w, dy, convolution});
}

cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void*, const cudnnTensorDescriptor_t x,
                                             const void*, const cudnnTensorDescriptor_t dy, const void*,
                                             const cudnnConvolutionDescriptor_t convolution,
                                             cudnnConvolutionBwdFilterAlgo_t, void*, std::size_t, const void*,
                                             const cudnnFilterDescriptor_t dw, void*) {
  return convolve("cudnnConvolutionBackwardFilter", handle, ConvolutionPass::backward_filter, {x, dw, dy, convolution});
}

cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void*, const cudnnTensorDescriptor_t x, const void*, const cudnnFilterDescriptor_t w,
    const void*, const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionFwdAlgo_t, void*, std::size_t,
    const void*, const cudnnTensorDescriptor_t, const void*, const cudnnTensorDescriptor_t bias, const void*,
    const cudnnActivationDescriptor_t activation, const cudnnTensorDescriptor_t y, void*) {
  const Tensors tensors = {x, w, y, convolution};
  if (!is_complete(tensors) || bias == nullptr || activation == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  CudnnWork work = work_for(ConvolutionPass::forward, tensors);
  work.name += " +Bias+Activation";
  return submit_cudnn("cudnnConvolutionBiasActivationForward", handle, std::move(work));
}

}  // extern "C"
