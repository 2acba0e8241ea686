// What the handles and descriptors of cuDNN point to. Its header leaves these types open.
#pragma once

#include <cudnn.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emulator/math/cudnn/cudnn_rnn_layout.h"
#include "emulator/math/cudnn/cudnn_work.h"
#include "emulator/model/outcome.h"
#include "emulator/work/operation.h"

struct cudnnContext {
  stepgate::emulator::StreamHandle stream = stepgate::emulator::default_stream;
};

struct cudnnTensorStruct {
  stepgate::emulator::CudnnTensor tensor;
};

struct cudnnFilterStruct {
  stepgate::emulator::CudnnTensor tensor;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
};

struct cudnnConvolutionStruct {
  std::vector<std::int64_t> padding;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  int groups = 1;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

struct cudnnActivationStruct {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_IDENTITY;
};

struct cudnnPoolingStruct {
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
};

struct cudnnDropoutStruct {
  float dropout = 0;
};

struct cudnnSpatialTransformerStruct {
  stepgate::emulator::CudnnTensor output;
};

struct cudnnRNNStruct {
  stepgate::emulator::RnnShape shape;
  cudnnRNNMode_t mode = CUDNN_RNN_RELU;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
};

struct cudnnRNNDataStruct {
  std::int64_t steps = 0;  ///< of the longest sequence
  std::int64_t batch = 0;
  std::int64_t features = 0;
};

namespace stepgate::emulator {

/// Types of elements that are modelled here.
std::span<const CudnnTypeRow> cudnn_types();
/// `function`: for the text of the refusal of a type that is not modelled.
CudnnTypeRow cudnn_type(cudnnDataType_t type, const char* function);

cudnnStatus_t cudnn_status_of(Outcome outcome);

/// One kernel of the library in the stream of `handle`. `function` is the library's call.
cudnnStatus_t submit_cudnn(const char* function, cudnnHandle_t handle, CudnnWork work);

/// Of all pairs cudnnCreate<X>Descriptor and cudnnDestroy<X>Descriptor.
template <typename Object>
cudnnStatus_t create_cudnn(Object** object) {
  if (object == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *object = new Object;
  return CUDNN_STATUS_SUCCESS;
}
template <typename Object>
cudnnStatus_t destroy_cudnn(Object* object) {
  delete object;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace stepgate::emulator
