#include "measure/device_check/cuda/cuda_probe_syncs.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include "measure/device/cuda/cuda_sync_watch.h"

namespace stepgate {
namespace {

constexpr std::int64_t elements = 1024;
constexpr std::size_t raw_bytes = 1U << 20U;

}  // namespace

CudaProbeSyncs::~CudaProbeSyncs() {
  for (void* block : raw_) static_cast<void>(cudaFree(block));
}

void CudaProbeSyncs::prepare() {
  if (on_gpu_.defined()) return;
  on_host_ = at::ones({elements});
  on_gpu_ = at::ones({elements}, at::TensorOptions().device(at::kCUDA));
}

void CudaProbeSyncs::act(ProbeAction action) {
  prepare();
  switch (action) {
    case ProbeAction::kernel:
      on_gpu_.add_(1);
      return;
    case ProbeAction::item:
      static_cast<void>(on_gpu_[0].item<float>());
      return;
    case ProbeAction::nonzero:
      static_cast<void>(on_gpu_.nonzero());
      return;
    case ProbeAction::pageable_copy:
      on_gpu_.copy_(on_host_);
      return;
    case ProbeAction::device_sync:
      return c10::cuda::device_synchronize();
    case ProbeAction::event_sync:
      event_.record(c10::cuda::getCurrentCUDAStream());
      return event_.synchronize();
    case ProbeAction::device_malloc:
      return allocate_on_device();
    case ProbeAction::device_free:
      return free_on_device();
  }
}

void CudaProbeSyncs::allocate_on_device() {
  void* block = nullptr;
  C10_CUDA_CHECK(cudaMalloc(&block, raw_bytes));
  raw_.push_back(block);
}

void CudaProbeSyncs::free_on_device() {
  if (raw_.empty()) allocate_on_device();
  void* const block = raw_.back();
  raw_.pop_back();
  C10_CUDA_CHECK(cudaFree(block));
}

std::int64_t cuda_sync_warnings_during(const std::function<void()>& body) {
  const auto watch = make_cuda_sync_watch();
  watch->start();
  body();
  watch->stop();
  return watch->count();
}

}  // namespace stepgate
