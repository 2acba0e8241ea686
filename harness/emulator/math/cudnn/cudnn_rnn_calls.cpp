// Recurrent networks of cuDNN: descriptors, the layout of the weights, and passes of one kernel each.
#include <algorithm>
#include <string>

#include "emulator/machine/refusal.h"
#include "emulator/math/cudnn/cudnn_objects.h"

namespace {

using namespace stepgate::emulator;

std::int64_t gates_of(cudnnRNNMode_t mode) {
  if (mode == CUDNN_LSTM) return 4;
  return mode == CUDNN_GRU ? 3 : 1;
}

const char* mode_name(cudnnRNNMode_t mode) {
  if (mode == CUDNN_LSTM) return "LSTM";
  if (mode == CUDNN_GRU) return "GRU";
  return mode == CUDNN_RNN_RELU ? "ReLU" : "tanh";
}

std::int64_t biases_of(cudnnRNNBiasMode_t mode) {
  if (mode == CUDNN_RNN_NO_BIAS) return 0;
  return mode == CUDNN_RNN_DOUBLE_BIAS ? 2 : 1;
}

struct Pass {
  const char* function;
  const char* title;
  bool training;
};

struct Spaces {
  std::size_t weights;
  std::size_t workspace;
  std::size_t reserve;
};

CudnnWork work_for(const Pass& pass, const cudnnRNNStruct& rnn, const cudnnRNNDataStruct& data) {
  const RnnShape& shape = rnn.shape;
  CudnnWork work;
  work.name = std::string("cudnn ") + pass.title + " " + mode_name(rnn.mode) + " layers " +
              std::to_string(shape.layers) + " directions " + std::to_string(shape.directions) + " steps " +
              std::to_string(data.steps) + " batch " + std::to_string(data.batch) + " input " +
              std::to_string(shape.input) + " hidden " + std::to_string(shape.hidden) + " projection " +
              std::to_string(shape.projection) + " " + std::string(cudnn_type(rnn.type, pass.function).name);
  work.flops = flops_of(shape, data.steps, data.batch);
  work.bytes = static_cast<double>(weight_space_bytes(shape)) +
               static_cast<double>(data.steps * data.batch * data.features * shape.element_bytes);
  return work;
}

struct Network {
  cudnnRNNDescriptor_t rnn;
  cudnnRNNDataDescriptor_t data;
};

cudnnStatus_t run(const Pass& pass, cudnnHandle_t handle, const Network& network, const Spaces& given) {
  const auto [rnn, data] = network;
  if (rnn == nullptr || data == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const RnnSpaces needed = spaces_of(rnn->shape, data->steps, data->batch, pass.training);
  if (given.weights < static_cast<std::size_t>(weight_space_bytes(rnn->shape)) ||
      given.workspace < static_cast<std::size_t>(needed.workspace_bytes) ||
      given.reserve < static_cast<std::size_t>(needed.reserve_bytes)) {
    return CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT;
  }
  return submit_cudnn(pass.function, handle, work_for(pass, *rnn, *data));
}

/// What the program asks for: the shape and the address of a matrix or a bias. Both may be null.
struct Asked {
  cudnnTensorDescriptor_t descriptor;
  void** address;
};

/// Where the library has no such matrix or bias, its address is null.
void give(const std::optional<RnnWeight>& weight, const cudnnRNNStruct& rnn, const void* space, const Asked& asked) {
  const auto [descriptor, address] = asked;
  if (descriptor == nullptr || address == nullptr) return;
  if (!weight) {
    *address = nullptr;
    descriptor->tensor = {};
    return;
  }
  descriptor->tensor = {{1, weight->rows, weight->columns},
                        {weight->rows * weight->columns, weight->columns, 1},
                        cudnn_type(rnn.type, "cudnnGetRNNWeightParams")};
  *address = const_cast<char*>(static_cast<const char*>(space)) + weight->offset_bytes;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t* descriptor) { return create_cudnn(descriptor); }
cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t descriptor) { return destroy_cudnn(descriptor); }
cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t* descriptor) { return create_cudnn(descriptor); }
cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor) { return destroy_cudnn(descriptor); }

cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t descriptor, cudnnRNNAlgo_t, cudnnRNNMode_t mode,
                                       cudnnRNNBiasMode_t bias, cudnnDirectionMode_t direction,
                                       cudnnRNNInputMode_t input, cudnnDataType_t type, cudnnDataType_t,
                                       cudnnMathType_t, std::int32_t input_size, std::int32_t hidden_size,
                                       std::int32_t projection_size, std::int32_t layers, cudnnDropoutDescriptor_t,
                                       std::uint32_t) {
  if (descriptor == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (input != CUDNN_LINEAR_INPUT) refuse("cudnnSetRNNDescriptor_v8", "an input without weights");
  constexpr unsigned bits_of_byte = 8;
  RnnShape shape;
  shape.gates = gates_of(mode);
  shape.input = input_size;
  shape.hidden = hidden_size;
  shape.projection = projection_size;
  shape.layers = layers;
  shape.directions = direction == CUDNN_BIDIRECTIONAL ? 2 : 1;
  shape.biases = biases_of(bias);
  shape.element_bytes = cudnn_type(type, "cudnnSetRNNDescriptor_v8").bits / bits_of_byte;
  if (!is_valid(shape)) return CUDNN_STATUS_BAD_PARAM;
  if (projection_size != hidden_size && mode != CUDNN_LSTM) return CUDNN_STATUS_NOT_SUPPORTED;
  *descriptor = {shape, mode, type};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor, cudnnDataType_t, cudnnRNNDataLayout_t,
                                        int steps, int batch, int features, const int lengths[], void*) {
  if (descriptor == nullptr || lengths == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (steps <= 0 || batch <= 0 || features <= 0) return CUDNN_STATUS_BAD_PARAM;
  if (std::any_of(lengths, lengths + batch, [steps](int length) { return length < 0 || length > steps; })) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  *descriptor = {steps, batch, features};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, std::size_t* bytes) {
  if (handle == nullptr || rnn == nullptr || bytes == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *bytes = static_cast<std::size_t>(weight_space_bytes(rnn->shape));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, cudnnForwardMode_t mode,
                                        cudnnRNNDataDescriptor_t x, std::size_t* workspace, std::size_t* reserve) {
  if (handle == nullptr || rnn == nullptr || x == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const RnnSpaces spaces = spaces_of(rnn->shape, x->steps, x->batch, mode == CUDNN_FWD_MODE_TRAINING);
  if (workspace != nullptr) *workspace = static_cast<std::size_t>(spaces.workspace_bytes);
  if (reserve != nullptr) *reserve = static_cast<std::size_t>(spaces.reserve_bytes);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, std::int32_t layer,
                                      std::size_t bytes, const void* space, std::int32_t place,
                                      cudnnTensorDescriptor_t matrix, void** matrix_address,
                                      cudnnTensorDescriptor_t bias, void** bias_address) {
  if (handle == nullptr || rnn == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  if (bytes < static_cast<std::size_t>(weight_space_bytes(rnn->shape))) {
    return CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT;
  }
  if (layer < 0 || layer >= rnn->shape.layers * rnn->shape.directions || place < 0) return CUDNN_STATUS_BAD_PARAM;
  give(matrix_of(rnn->shape, layer, place), *rnn, space, {matrix, matrix_address});
  give(bias_of(rnn->shape, layer, place), *rnn, space, {bias, bias_address});
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRNNForward(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, cudnnForwardMode_t mode,
                              const std::int32_t*, cudnnRNNDataDescriptor_t x, const void*, cudnnRNNDataDescriptor_t,
                              void*, cudnnTensorDescriptor_t, const void*, void*, cudnnTensorDescriptor_t, const void*,
                              void*, std::size_t weights, const void*, std::size_t workspace, void*,
                              std::size_t reserve, void*) {
  const bool training = mode == CUDNN_FWD_MODE_TRAINING;
  return run({"cudnnRNNForward", training ? "RNNTraining" : "RNNInference", training}, handle, {rnn, x},
             {weights, workspace, reserve});
}

cudnnStatus_t cudnnRNNBackwardData_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, const std::int32_t*,
                                      cudnnRNNDataDescriptor_t, const void*, const void*, cudnnRNNDataDescriptor_t x,
                                      void*, cudnnTensorDescriptor_t, const void*, const void*, void*,
                                      cudnnTensorDescriptor_t, const void*, const void*, void*, std::size_t weights,
                                      const void*, std::size_t workspace, void*, std::size_t reserve, void*) {
  return run({"cudnnRNNBackwardData_v8", "RNNBackwardData", true}, handle, {rnn, x}, {weights, workspace, reserve});
}

cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t rnn, cudnnWgradMode_t,
                                         const std::int32_t*, cudnnRNNDataDescriptor_t x, const void*,
                                         cudnnTensorDescriptor_t, const void*, cudnnRNNDataDescriptor_t, const void*,
                                         std::size_t weights, void*, std::size_t workspace, void*, std::size_t reserve,
                                         void*) {
  return run({"cudnnRNNBackwardWeights_v8", "RNNBackwardWeights", true}, handle, {rnn, x},
             {weights, workspace, reserve});
}

}  // extern "C"
