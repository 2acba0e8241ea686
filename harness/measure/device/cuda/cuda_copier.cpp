#include "measure/device/cuda/cuda_copier.h"

#include <array>
#include <memory>

#include "measure/device/cuda/cuda_queue.h"
#include "measure/device/slot_copier.h"

namespace stepgate {
namespace {

/// The tensor over a buffer, until the buffer or the shape changes.
struct BufferView {
  DeviceMemory memory;
  torch::Tensor tensor;
};

class CudaCopier final : public BatchCopier {
 public:
  explicit CudaCopier(DeviceQueue& queue) : copier_(queue) {}

  std::vector<torch::Tensor> copy(const std::vector<torch::Tensor>& host) override {
    const torch::NoGradGuard no_grad;
    const PackedTensors sources = packed(host);
    const auto buffers =
        copier_.copy(sources.bytes, [&] { return std::make_shared<std::vector<torch::Tensor>>(sources.tensors); });
    std::vector<BufferView>& views = views_[copies_++ % views_.size()];
    if (views.size() < host.size()) views.resize(host.size());
    std::vector<torch::Tensor> device;
    device.reserve(host.size());
    for (std::size_t i = 0; i < host.size(); ++i)
      device.push_back(shaped_like(sources.tensors[i], buffers[i], views[i]));
    return device;
  }

  void step_enqueued() override { copier_.step_enqueued(); }

 private:
  static torch::Tensor shaped_like(const torch::Tensor& host, const DeviceMemory& memory, BufferView& view) {
    const bool same = view.tensor.defined() && view.memory == memory && view.tensor.sizes() == host.sizes() &&
                      view.tensor.strides() == host.strides() && view.tensor.scalar_type() == host.scalar_type() &&
                      !view.tensor.requires_grad();  // a workload asked for gradients of its input
    if (!same) view = {memory, view_like(host, memory)};
    return view.tensor;
  }

  SlotCopier copier_;
  std::array<std::vector<BufferView>, SlotCopier::usual_slots> views_;
  std::size_t copies_ = 0;
};

}  // namespace

std::unique_ptr<BatchCopier> make_cuda_copier(DeviceQueue& queue) { return std::make_unique<CudaCopier>(queue); }

}  // namespace stepgate
