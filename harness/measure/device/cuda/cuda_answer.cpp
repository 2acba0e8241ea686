#include "measure/device/cuda/cuda_answer.h"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace stepgate {
namespace {

std::vector<std::string> gpus_of_kernel() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", error)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

CudaAnswer answer_of(cudaError_t error) {
  CudaAnswer answer;
  answer.error = static_cast<int>(error);
  answer.error_name = cudaGetErrorName(error);
  answer.error_text = cudaGetErrorString(error);
  // Neither needs a driver; 0 stays where they fail.
  static_cast<void>(cudaDriverGetVersion(&answer.driver_version));
  static_cast<void>(cudaRuntimeGetVersion(&answer.runtime_version));
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) answer.visible = visible;
  answer.listed = gpus_of_kernel();
  static_cast<void>(cudaGetLastError());  // LibTorch would report it at its next call
  return answer;
}

}  // namespace

CudaAnswer ask_for_devices() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  CudaAnswer answer = answer_of(error);
  answer.devices = error == cudaSuccess ? count : 0;
  return answer;
}

CudaAnswer ask_for_device(int index) {
  cudaError_t error = cudaSetDevice(index);
  if (error == cudaSuccess) error = cudaFree(nullptr);  // older runtimes make the context here
  CudaAnswer answer = answer_of(error);
  answer.devices = 1;
  return answer;
}

}  // namespace stepgate
