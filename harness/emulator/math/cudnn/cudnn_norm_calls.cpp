// Batch normalisation of cuDNN's older interface, and the spatial transformer: one kernel a call.
#include <array>

#include "emulator/machine/refusal.h"
#include "emulator/math/cudnn/cudnn_objects.h"

namespace {

using namespace stepgate::emulator;

/// Forward reads the input for the statistics and again for the result; backward likewise.
constexpr int passes_of_training = 2;

void check_operations(const char* function, cudnnBatchNormOps_t operations) {
  if (operations != CUDNN_BATCHNORM_OPS_BN) refuse(function, "an activation in the same kernel");
}

const char* mode_name(cudnnBatchNormMode_t mode) {
  if (mode == CUDNN_BATCHNORM_PER_ACTIVATION) return "per_activation";
  return mode == CUDNN_BATCHNORM_SPATIAL ? "spatial" : "spatial_persistent";
}

std::string title(const char* pass, cudnnBatchNormMode_t mode) { return std::string(pass) + " " + mode_name(mode); }

/// The library documents no sizes. None here: what LibTorch allocates for them is missing in the emulated figures.
cudnnStatus_t no_space(const char* function, cudnnBatchNormOps_t operations, std::size_t* bytes) {
  if (bytes == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  check_operations(function, operations);
  *bytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t operations, const cudnnTensorDescriptor_t,
    const cudnnTensorDescriptor_t, const cudnnTensorDescriptor_t, const cudnnTensorDescriptor_t,
    const cudnnActivationDescriptor_t, std::size_t* bytes) {
  return no_space("cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", operations, bytes);
}

cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t operations, const cudnnTensorDescriptor_t,
    const cudnnTensorDescriptor_t, const cudnnTensorDescriptor_t, const cudnnTensorDescriptor_t,
    const cudnnTensorDescriptor_t, const cudnnTensorDescriptor_t, const cudnnActivationDescriptor_t,
    std::size_t* bytes) {
  return no_space("cudnnGetBatchNormalizationBackwardExWorkspaceSize", operations, bytes);
}

cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(cudnnHandle_t, cudnnBatchNormMode_t,
                                                                   cudnnBatchNormOps_t operations,
                                                                   const cudnnActivationDescriptor_t,
                                                                   const cudnnTensorDescriptor_t, std::size_t* bytes) {
  return no_space("cudnnGetBatchNormalizationTrainingExReserveSpaceSize", operations, bytes);
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void*,
                                                      const void*, const cudnnTensorDescriptor_t x, const void*,
                                                      const cudnnTensorDescriptor_t y, void*,
                                                      const cudnnTensorDescriptor_t scale, const void*, const void*,
                                                      const void*, const void*, double epsilon) {
  if (x == nullptr || y == nullptr || scale == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (epsilon < CUDNN_BN_MIN_EPSILON) return CUDNN_STATUS_BAD_PARAM;
  const std::array<CudnnTensor, 2> tensors = {x->tensor, y->tensor};
  return submit_cudnn("cudnnBatchNormalizationForwardInference", handle,
                      streamed_work(title("BatchNormInference", mode), tensors));
}

cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t operations, const void*, const void*,
    const cudnnTensorDescriptor_t x, const void*, const cudnnTensorDescriptor_t, const void*,
    const cudnnTensorDescriptor_t y, void*, const cudnnTensorDescriptor_t scale, const void*, const void*, double,
    void*, void*, double epsilon, void*, void*, cudnnActivationDescriptor_t, void*, std::size_t, void*, std::size_t) {
  if (x == nullptr || y == nullptr || scale == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  check_operations("cudnnBatchNormalizationForwardTrainingEx", operations);
  if (epsilon < CUDNN_BN_MIN_EPSILON) return CUDNN_STATUS_BAD_PARAM;
  const std::array<CudnnTensor, 2> tensors = {x->tensor, y->tensor};
  return submit_cudnn("cudnnBatchNormalizationForwardTrainingEx", handle,
                      streamed_work(title("BatchNormForward", mode), tensors, passes_of_training));
}

cudnnStatus_t cudnnBatchNormalizationBackwardEx(cudnnHandle_t handle, cudnnBatchNormMode_t mode,
                                                cudnnBatchNormOps_t operations, const void*, const void*, const void*,
                                                const void*, const cudnnTensorDescriptor_t x, const void*,
                                                const cudnnTensorDescriptor_t, const void*,
                                                const cudnnTensorDescriptor_t dy, const void*,
                                                const cudnnTensorDescriptor_t, void*, const cudnnTensorDescriptor_t dx,
                                                void*, const cudnnTensorDescriptor_t scale, const void*, const void*,
                                                void*, void*, double epsilon, const void*, const void*,
                                                cudnnActivationDescriptor_t, void*, std::size_t, void*, std::size_t) {
  if (x == nullptr || dy == nullptr || dx == nullptr || scale == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  check_operations("cudnnBatchNormalizationBackwardEx", operations);
  if (epsilon < CUDNN_BN_MIN_EPSILON) return CUDNN_STATUS_BAD_PARAM;
  const std::array<CudnnTensor, 3> tensors = {x->tensor, dy->tensor, dx->tensor};
  return submit_cudnn("cudnnBatchNormalizationBackwardEx", handle,
                      streamed_work(title("BatchNormBackward", mode), tensors, passes_of_training));
}

cudnnStatus_t cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t* descriptor) {
  return create_cudnn(descriptor);
}
cudnnStatus_t cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t descriptor) {
  return destroy_cudnn(descriptor);
}

cudnnStatus_t cudnnSetSpatialTransformerNdDescriptor(cudnnSpatialTransformerDescriptor_t descriptor,
                                                     cudnnSamplerType_t sampler, cudnnDataType_t type, const int dims,
                                                     const int dim[]) {
  if (descriptor == nullptr || dim == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (sampler != CUDNN_SAMPLER_BILINEAR || dims <= 0 || dims > CUDNN_DIM_MAX) return CUDNN_STATUS_NOT_SUPPORTED;
  descriptor->output = {{dim, dim + dims}, {}, cudnn_type(type, "cudnnSetSpatialTransformerNdDescriptor")};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSpatialTfGridGeneratorForward(cudnnHandle_t handle,
                                                 const cudnnSpatialTransformerDescriptor_t descriptor, const void*,
                                                 void*) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const std::array<CudnnTensor, 1> tensors = {descriptor->output};
  return submit_cudnn("cudnnSpatialTfGridGeneratorForward", handle, streamed_work("GridGeneratorForward", tensors));
}

cudnnStatus_t cudnnSpatialTfGridGeneratorBackward(cudnnHandle_t handle,
                                                  const cudnnSpatialTransformerDescriptor_t descriptor, const void*,
                                                  void*) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const std::array<CudnnTensor, 1> tensors = {descriptor->output};
  return submit_cudnn("cudnnSpatialTfGridGeneratorBackward", handle, streamed_work("GridGeneratorBackward", tensors));
}

cudnnStatus_t cudnnSpatialTfSamplerForward(cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t descriptor,
                                           const void*, const cudnnTensorDescriptor_t x, const void*, const void*,
                                           const void*, cudnnTensorDescriptor_t y, void*) {
  if (descriptor == nullptr || x == nullptr || y == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const std::array<CudnnTensor, 2> tensors = {x->tensor, y->tensor};
  return submit_cudnn("cudnnSpatialTfSamplerForward", handle, streamed_work("SamplerForward", tensors));
}

cudnnStatus_t cudnnSpatialTfSamplerBackward(cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t descriptor,
                                            const void*, const cudnnTensorDescriptor_t x, const void*, const void*,
                                            const cudnnTensorDescriptor_t dx, void*, const void*,
                                            const cudnnTensorDescriptor_t dy, const void*, const void*, const void*,
                                            void*) {
  if (descriptor == nullptr || x == nullptr || dx == nullptr || dy == nullptr) {
    return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  }
  const std::array<CudnnTensor, 3> tensors = {x->tensor, dx->tensor, dy->tensor};
  return submit_cudnn("cudnnSpatialTfSamplerBackward", handle, streamed_work("SamplerBackward", tensors));
}

}  // extern "C"
