#include "measure/device/cuda/cuda_copier.h"

#include <c10/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>

#include <array>

namespace stepgate {
namespace {

using c10::cuda::CUDAEvent;

/// Device buffers of one batch, and the event after which the compute stream no longer reads them.
struct DeviceSlot {
  DeviceBuffers buffers;
  CUDAEvent read_by_compute;
};

/// A source batch that a copy may still be reading.
struct SourceSlot {
  std::vector<torch::Tensor> tensors;
  CUDAEvent copied;
};

class CudaCopier final : public BatchCopier {
 public:
  explicit CudaCopier(const CudaStreams& streams)
      : streams_(streams),
        device_slots_{DeviceSlot{DeviceBuffers(streams.compute.device()), CUDAEvent()},
                      DeviceSlot{DeviceBuffers(streams.compute.device()), CUDAEvent()}} {}

  std::vector<torch::Tensor> copy(const std::vector<torch::Tensor>& host) override {
    const torch::NoGradGuard no_grad;
    DeviceSlot& slot = device_slots_[copies_ % device_slots_.size()];
    // Buffers are allocated on the compute stream, which uses them; only the copy runs on the copy stream.
    std::vector<torch::Tensor> device;
    device.reserve(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) device.push_back(slot.buffers.shaped_like(host[i], i));
    SourceSlot& source = source_slots_[copies_ % source_slots_.size()];
    source.copied
        .synchronize();  // returns at once: a window, which ends with a synchronisation, is shorter than the ring
    enqueue(host, device, source);
    source.tensors = host;
    ++copies_;
    return device;
  }

  void step_enqueued() override {
    if (copies_ == 0) return;
    device_slots_[(copies_ - 1) % device_slots_.size()].read_by_compute.record(streams_.compute);
    // The wait for the next buffer belongs between the steps. Inside the copy boundary it would count as copy time
    // if the host runs ahead (step_actions.h).
    device_slots_[copies_ % device_slots_.size()].read_by_compute.block(streams_.copy);
  }

 private:
  void enqueue(const std::vector<torch::Tensor>& host, const std::vector<torch::Tensor>& device, SourceSlot& source) {
    const c10::cuda::CUDAStreamGuard on_copy_stream(streams_.copy);
    for (std::size_t i = 0; i < host.size(); ++i) device[i].copy_(host[i], host[i].is_pinned());
    source.copied.record(streams_.copy);
    source.copied.block(streams_.compute);
  }

  CudaStreams streams_;
  std::array<DeviceSlot, 2> device_slots_;
  std::array<SourceSlot, 64>
      source_slots_;  // windows are 10 to 50 steps (docs/design/measurement.md, "Copies to the device")
  std::size_t copies_ = 0;
};

}  // namespace

std::unique_ptr<BatchCopier> make_cuda_copier(const CudaStreams& streams) {
  return std::make_unique<CudaCopier>(streams);
}

}  // namespace stepgate
