// Handles, versions and texts of errors of cuDNN.
#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>

#include "emulator/machine/refusal.h"
#include "emulator/math/cudnn/cudnn_objects.h"

namespace {

using namespace stepgate::emulator;

struct StatusRow {
  cudnnStatus_t status;
  const char* name;
};

constexpr std::array<StatusRow, 19> status_rows = {{
    {CUDNN_STATUS_SUCCESS, "CUDNN_STATUS_SUCCESS"},
    {CUDNN_STATUS_NOT_INITIALIZED, "CUDNN_STATUS_NOT_INITIALIZED"},
    {CUDNN_STATUS_BAD_PARAM, "CUDNN_STATUS_BAD_PARAM"},
    {CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "CUDNN_STATUS_BAD_PARAM_NULL_POINTER"},
    {CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED"},
    {CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, "CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND"},
    {CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT, "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT"},
    {CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH"},
    {CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE"},
    {CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE, "CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE"},
    {CUDNN_STATUS_NOT_SUPPORTED, "CUDNN_STATUS_NOT_SUPPORTED"},
    {CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN, "CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN"},
    {CUDNN_STATUS_NOT_SUPPORTED_SHAPE, "CUDNN_STATUS_NOT_SUPPORTED_SHAPE"},
    {CUDNN_STATUS_INTERNAL_ERROR, "CUDNN_STATUS_INTERNAL_ERROR"},
    {CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED, "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"},
    {CUDNN_STATUS_EXECUTION_FAILED, "CUDNN_STATUS_EXECUTION_FAILED"},
    {CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER, "CUDNN_STATUS_EXECUTION_FAILED_CUDA_DRIVER"},
    {CUDNN_STATUS_EXECUTION_FAILED_CUBLAS, "CUDNN_STATUS_EXECUTION_FAILED_CUBLAS"},
    {CUDNN_STATUS_EXECUTION_FAILED_CUDART, "CUDNN_STATUS_EXECUTION_FAILED_CUDART"},
}};

}  // namespace

extern "C" {

std::size_t cudnnGetVersion() { return CUDNN_VERSION; }

std::size_t cudnnGetCudartVersion() { return CUDART_VERSION; }

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  switch (type) {
    case MAJOR_VERSION:
      *value = CUDNN_MAJOR;
      return CUDNN_STATUS_SUCCESS;
    case MINOR_VERSION:
      *value = CUDNN_MINOR;
      return CUDNN_STATUS_SUCCESS;
    case PATCH_LEVEL:
      *value = CUDNN_PATCHLEVEL;
      return CUDNN_STATUS_SUCCESS;
    default:
      return CUDNN_STATUS_BAD_PARAM;
  }
}

const char* cudnnGetErrorString(cudnnStatus_t status) {
  for (const StatusRow& row : status_rows) {
    if (row.status == status) return row.name;
  }
  return "CUDNN_UNKNOWN_STATUS";
}

/// No call here leaves a text: the status says it.
void cudnnGetLastErrorString(char* message, std::size_t max_size) {
  if (message != nullptr && max_size > 0) *message = '\0';
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) { return create_cudnn(handle); }

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) { return destroy_cudnn(handle); }

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  handle->stream = static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr || stream == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  *stream = reinterpret_cast<cudaStream_t>(static_cast<std::uintptr_t>(handle->stream));
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
