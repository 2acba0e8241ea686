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
  std::size_t own_references = 0;  ///< to the storage, before a workload got the tensor
};

class CudaCopier final : public BatchCopier {
 public:
  explicit CudaCopier(DeviceQueue& queue) : queue_(queue), copier_(queue) {}

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

  void leave_held(std::int64_t step) override {
    std::vector<BufferView>& views = views_[copies_ % views_.size()];  // those that the next copy writes to
    for (std::size_t i = 0; i < views.size(); ++i) {
      BufferView& view = views[i];
      if (!view.memory || !is_held(view.tensor, view.own_references)) continue;
      held_.note(i, view.tensor, step);
      if (addresses_are_fixed()) continue;
      view = {};
      copier_.replace(i);
    }
  }

  /// The allocator keeps the blocks for the copies that follow.
  void make_spares(std::int64_t copies) override {
    if (addresses_are_fixed()) return;
    std::vector<DeviceMemory> blocks;
    for (std::size_t i = 0; i < held_.tensors().size(); ++i) {
      if (!held_.was_held(i)) continue;
      for (std::int64_t copy = 0; copy < copies; ++copy)
        blocks.push_back(queue_.allocate(held_.tensors()[i].bytes, Stream::compute));
    }
  }

 private:
  static torch::Tensor shaped_like(const torch::Tensor& host, const DeviceMemory& memory, BufferView& view) {
    const bool same = view.tensor.defined() && view.memory == memory && view.tensor.sizes() == host.sizes() &&
                      view.tensor.strides() == host.strides() && view.tensor.scalar_type() == host.scalar_type() &&
                      !view.tensor.requires_grad();  // a workload asked for gradients of its input
    if (same) return view.tensor;
    view = {memory, view_like(host, memory)};
    // Counted, not assumed: autograd keeps tensors between the block's own and a view of another dtype.
    view.own_references = view.tensor.storage().use_count();
    return view.tensor;
  }

  DeviceQueue& queue_;
  SlotCopier copier_;
  std::array<std::vector<BufferView>, SlotCopier::usual_slots> views_;
  std::size_t copies_ = 0;
};

}  // namespace

std::unique_ptr<BatchCopier> make_cuda_copier(DeviceQueue& queue) { return std::make_unique<CudaCopier>(queue); }

}  // namespace stepgate
