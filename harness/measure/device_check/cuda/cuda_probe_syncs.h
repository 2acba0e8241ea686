// Calls that make the host wait for the GPU, one of each kind, and LibTorch's own count of them.
#pragma once

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>

#include <functional>
#include <vector>

#include "measure/device_check/probe_device.h"

namespace stepgate {

class CudaProbeSyncs {
 public:
  CudaProbeSyncs() = default;
  CudaProbeSyncs(const CudaProbeSyncs&) = delete;
  CudaProbeSyncs& operator=(const CudaProbeSyncs&) = delete;
  ~CudaProbeSyncs();

  /// Throws where CUDA refuses.
  void act(ProbeAction action);

 private:
  void prepare();
  void allocate_on_device();
  void free_on_device();

  at::Tensor on_gpu_;
  at::Tensor on_host_;
  at::cuda::CUDAEvent event_;
  std::vector<void*> raw_;  ///< from cudaMalloc
};

/// Through the watch that the counts pass uses.
std::int64_t cuda_sync_warnings_during(const std::function<void()>& body);

}  // namespace stepgate
