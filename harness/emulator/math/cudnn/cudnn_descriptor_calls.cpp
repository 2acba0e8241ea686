// Descriptors of cuDNN's older interface: tensors, filters, activations, pooling and dropout; and pooling itself.
#include <algorithm>
#include <array>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/math/cudnn/cudnn_objects.h"
#include "emulator/process/process_machine.h"

namespace {

using namespace stepgate::emulator;

std::vector<std::int64_t> numbers(const int* from, int count) { return {from, from + count}; }

/// Of a tensor without gaps, in the order of `format`.
std::vector<std::int64_t> packed_strides(const std::vector<std::int64_t>& dims, cudnnTensorFormat_t format) {
  std::vector<std::int64_t> strides(dims.size());
  const bool channels_last = format == CUDNN_TENSOR_NHWC && dims.size() > 1;
  std::int64_t next = 1;
  if (channels_last) {
    strides[1] = 1;
    next = dims[1];
  }
  for (std::size_t place = dims.size(); place-- > 0;) {
    if (channels_last && place == 1) continue;
    strides[place] = next;
    next *= dims[place];
  }
  return strides;
}

void give(const std::vector<std::int64_t>& from, int requested, int* to) {
  if (to == nullptr) return;
  const std::size_t count = std::min(from.size(), static_cast<std::size_t>(std::max(requested, 0)));
  std::transform(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count), to,
                 [](std::int64_t number) { return static_cast<int>(number); });
}

bool is_rank(int dims) { return dims > 0 && dims <= CUDNN_DIM_MAX; }

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* descriptor) { return create_cudnn(descriptor); }
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t descriptor) { return destroy_cudnn(descriptor); }

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t descriptor, cudnnDataType_t type, int dims,
                                         const int dim[], const int stride[]) {
  if (descriptor == nullptr || dim == nullptr || stride == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (!is_rank(dims)) return CUDNN_STATUS_NOT_SUPPORTED;
  descriptor->tensor = {numbers(dim, dims), numbers(stride, dims), cudnn_type(type, "cudnnSetTensorNdDescriptor")};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t descriptor, int requested, cudnnDataType_t* type,
                                         int* dims, int dim[], int stride[]) {
  if (descriptor == nullptr || type == nullptr || dims == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *type = static_cast<cudnnDataType_t>(descriptor->tensor.type.number);
  *dims = static_cast<int>(descriptor->tensor.dims.size());
  give(descriptor->tensor.dims, requested, dim);
  give(descriptor->tensor.strides, requested, stride);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* descriptor) { return create_cudnn(descriptor); }
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t descriptor) { return destroy_cudnn(descriptor); }

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t descriptor, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int dims, const int dim[]) {
  if (descriptor == nullptr || dim == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (!is_rank(dims)) return CUDNN_STATUS_NOT_SUPPORTED;
  if (format == CUDNN_TENSOR_NCHW_VECT_C) refuse("cudnnSetFilterNdDescriptor", "vectorised formats");
  std::vector<std::int64_t> sizes = numbers(dim, dims);
  std::vector<std::int64_t> strides = packed_strides(sizes, format);
  descriptor->tensor = {std::move(sizes), std::move(strides), cudnn_type(type, "cudnnSetFilterNdDescriptor")};
  descriptor->format = format;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t descriptor, int requested, cudnnDataType_t* type,
                                         cudnnTensorFormat_t* format, int* dims, int dim[]) {
  if (descriptor == nullptr || type == nullptr || format == nullptr || dims == nullptr) {
    return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  }
  *type = static_cast<cudnnDataType_t>(descriptor->tensor.type.number);
  *format = descriptor->format;
  *dims = static_cast<int>(descriptor->tensor.dims.size());
  give(descriptor->tensor.dims, requested, dim);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* descriptor) {
  return create_cudnn(descriptor);
}
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t descriptor) {
  return destroy_cudnn(descriptor);
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t descriptor, cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t, double) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  descriptor->mode = mode;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* descriptor) { return create_cudnn(descriptor); }

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t descriptor, cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t, int height, int width, int, int, int, int) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (height <= 0 || width <= 0) return CUDNN_STATUS_BAD_PARAM;
  descriptor->mode = mode;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t pooling, const void*,
                                  const cudnnTensorDescriptor_t x, const void*, const void*,
                                  const cudnnTensorDescriptor_t y, void*) {
  if (pooling == nullptr || x == nullptr || y == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const std::array<CudnnTensor, 2> tensors = {x->tensor, y->tensor};
  return submit_cudnn("cudnnPoolingForward", handle, streamed_work("PoolingForward", tensors));
}

cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t* descriptor) { return create_cudnn(descriptor); }
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t descriptor) { return destroy_cudnn(descriptor); }

/// Own choice, because the library documents no size: a counter and a key of 16 bytes for each thread of the device.
cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, std::size_t* bytes) {
  if (handle == nullptr || bytes == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  constexpr std::size_t bytes_of_thread = 16;
  const DeviceModel& model = process_machine().model();
  *bytes = static_cast<std::size_t>(model.multiprocessors) *
           static_cast<std::size_t>(model.threads_per_multiprocessor) * bytes_of_thread;
  return CUDNN_STATUS_SUCCESS;
}

/// Without states nothing is written: there is no dropout.
cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t descriptor, cudnnHandle_t handle, float dropout,
                                        void* states, std::size_t bytes, unsigned long long) {
  if (descriptor == nullptr || handle == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  descriptor->dropout = dropout;
  if (states == nullptr) return CUDNN_STATUS_SUCCESS;
  std::size_t needed = 0;
  if (cudnnDropoutGetStatesSize(handle, &needed); bytes < needed) return CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT;
  const CudnnTensor all{
      {static_cast<std::int64_t>(bytes)}, {1}, cudnn_type(CUDNN_DATA_UINT8, "cudnnSetDropoutDescriptor")};
  return submit_cudnn("cudnnSetDropoutDescriptor", handle, dropout_states_work(all));
}

cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t descriptor, cudnnHandle_t handle, float dropout,
                                            void*, std::size_t bytes, unsigned long long) {
  if (descriptor == nullptr || handle == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  std::size_t needed = 0;
  if (cudnnDropoutGetStatesSize(handle, &needed); bytes < needed) return CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT;
  descriptor->dropout = dropout;
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
