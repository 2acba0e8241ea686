#include "measure/device_check/cuda/cuda_probe_device.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/Sleep.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <torch/version.h>

#include <chrono>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "measure/device/device_side.h"
#include "measure/device_check/cuda/cuda_probe_calls.h"
#include "measure/device_check/cuda/cuda_probe_syncs.h"
#include "measure/device_check/cuda/cuda_probe_training.h"

namespace stepgate {
namespace {

constexpr double ns_per_ms = 1e6;

at::TensorOptions bytes_on_gpu() { return at::TensorOptions().dtype(at::kByte).device(at::kCUDA); }

/// Pinned host memory that did not come from LibTorch.
class PinnedBlocks {
 public:
  PinnedBlocks() = default;
  PinnedBlocks(const PinnedBlocks&) = delete;
  PinnedBlocks& operator=(const PinnedBlocks&) = delete;
  ~PinnedBlocks() {
    for (void* block : blocks_) static_cast<void>(cudaFreeHost(block));
  }
  void add(std::int64_t bytes) {
    void* block = nullptr;
    C10_CUDA_CHECK(cudaHostAlloc(&block, static_cast<std::size_t>(bytes), cudaHostAllocDefault));
    blocks_.push_back(block);
  }

 private:
  std::vector<void*> blocks_;
};

class CudaProbeDevice final : public ProbeDevice {
 public:
  explicit CudaProbeDevice(std::unique_ptr<DeviceSide> side)
      : side_(std::move(side)),
        compute_(c10::cuda::getCurrentCUDAStream(side_->device().index())),
        copy_(c10::cuda::getStreamFromPool(false, side_->device().index())) {}

  std::map<std::string, std::string> facts() override {
    std::map<std::string, std::string> facts = side_->facts();
    facts.emplace("torch", TORCH_VERSION);
    return facts;
  }

  double link_bytes_per_s() override {
    const auto link = side_->link_bytes_per_s();
    if (!link) throw ProbeRefusal("the kernel does not report the speed of the GPU's link");
    return static_cast<double>(*link);
  }

  std::int64_t now_ns() override {
    const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
  }

  void synchronize() override { c10::cuda::device_synchronize(); }

  void spin(ProbeStream stream, std::int64_t cycles) override {
    const c10::cuda::CUDAStreamGuard on_stream(stream_of(stream));
    at::cuda::sleep(cycles);
  }

  void record(std::size_t event, ProbeStream stream) override {
    while (events_.size() <= event) events_.emplace_back(cudaEventDefault);  // the class's own default has no times
    events_[event].record(stream_of(stream));
  }

  void wait(ProbeStream stream, std::size_t event) override { events_.at(event).block(stream_of(stream)); }

  std::int64_t elapsed_ns(std::size_t from, std::size_t to) override {
    return std::llround(static_cast<double>(events_.at(from).elapsed_time(events_.at(to))) * ns_per_ms);
  }

  ProbeBlock allocate(std::int64_t bytes) override {
    at::Tensor tensor = at::empty({bytes}, bytes_on_gpu());
    const auto block = reinterpret_cast<ProbeBlock>(tensor.data_ptr());
    blocks_[block] = std::move(tensor);
    return block;
  }
  void release(ProbeBlock block) override { blocks_.erase(block); }
  void fill(ProbeBlock block, int value) override { blocks_.at(block).fill_(value); }

  void prepare_source(std::int64_t bytes) override {
    const auto options = at::TensorOptions().dtype(at::kByte);
    pinned_source_ = at::ones({bytes}, options.pinned_memory(true));
    pageable_source_ = at::ones({bytes}, options);
  }

  void copy_to_device(ProbeBlock block, ProbeSource source, ProbeStream stream) override {
    const c10::cuda::CUDAStreamGuard on_stream(stream_of(stream));
    const bool pinned = source == ProbeSource::pinned;
    blocks_.at(block).copy_(pinned ? pinned_source_ : pageable_source_, pinned);
  }

  std::int64_t bytes_other_than(ProbeBlock block, int value) override {
    return blocks_.at(block).ne(value).sum().item<std::int64_t>();
  }

  void pin(std::int64_t bytes) override { pinned_.add(bytes); }

  void act(ProbeAction action) override { syncs_.act(action); }
  std::int64_t warnings_during(const std::function<void()>& body) override { return cuda_sync_warnings_during(body); }
  std::int64_t callbacks_during(const std::function<void()>& body) override { return cuda_waits_during(body); }

  ProbePeaks traced_step() override { return traced_cuda_step(*side_); }
  ProbeWork step_counted_by_cupti() override { return cuda_step_counted_by_cupti(); }
  ProbeWork step_counted_by_kineto() override { return cuda_step_counted_by_kineto(); }
  ProbeTraining train(int steps) override { return train_on_cuda(steps); }

 private:
  c10::cuda::CUDAStream stream_of(ProbeStream stream) const {
    return stream == ProbeStream::compute ? compute_ : copy_;
  }

  std::unique_ptr<DeviceSide> side_;
  c10::cuda::CUDAStream compute_;
  c10::cuda::CUDAStream copy_;
  std::vector<at::cuda::CUDAEvent> events_;
  std::unordered_map<ProbeBlock, at::Tensor> blocks_;
  at::Tensor pinned_source_;
  at::Tensor pageable_source_;
  PinnedBlocks pinned_;
  CudaProbeSyncs syncs_;
};

/// The side speaks to readers of a perftest program.
std::string without_its_option(std::string message) {
  constexpr std::string_view option = "--stepgate_device=cuda: ";
  return message.starts_with(option) ? message.substr(option.size()) : message;
}

}  // namespace

std::unique_ptr<ProbeDevice> open_cuda_probe() {
  try {
    return std::make_unique<CudaProbeDevice>(open_cuda_side(0));
  } catch (const DeviceMissing& missing) {
    throw ProbeMissing(without_its_option(missing.what()));
  }
}

}  // namespace stepgate
