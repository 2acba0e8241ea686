// Copies a host batch into permanent device buffers: boundary h2d.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "measure/device/torch_held_tensors.h"

namespace stepgate {

class BatchCopier {
 public:
  virtual ~BatchCopier() = default;
  /// The batch on the device. On an asynchronous device the copy may still run; work that is enqueued later on the
  /// compute stream sees the complete batch.
  virtual std::vector<torch::Tensor> copy(const std::vector<torch::Tensor>& host) = 0;
  /// Tells that the step with the last copy is enqueued completely: a later copy may overwrite its buffers after it.
  virtual void step_enqueued() = 0;

  /// Between two steps, when the harness has let go of the batch of `step`. Memory that the next copy would overwrite
  /// and that the user's code still holds is left to it, and the next copy gets other memory, unless addresses are
  /// fixed. A step that lets go of its batch costs two reads a tensor.
  virtual void leave_held(std::int64_t step) = 0;
  /// Before a window: makes memory for so many copies, of the tensors that were held before.
  virtual void make_spares(std::int64_t copies) = 0;

  const HeldTensors& held() const { return held_; }
  /// The step is a CUDA graph, which reads the addresses that it was recorded with.
  void fix_addresses() { fixed_ = true; }
  bool addresses_are_fixed() const { return fixed_; }

 protected:
  BatchCopier() = default;
  BatchCopier(const BatchCopier&) = default;
  BatchCopier& operator=(const BatchCopier&) = default;

  HeldTensors held_;

 private:
  bool fixed_ = false;
};

/// One buffer per tensor of a batch, on one device. Grows to the largest tensor seen and never shrinks.
class DeviceBuffers {
 public:
  explicit DeviceBuffers(torch::Device device) : device_(device) {}

  /// A tensor of the shape and dtype of `host` over buffer `index`. Allocates only where the buffer is too small or
  /// has another dtype. Not recorded as work of the step.
  torch::Tensor shaped_like(const torch::Tensor& host, std::size_t index);

  std::size_t size() const { return buffers_.size(); }
  /// The tensor that shaped_like() gave last.
  const torch::Tensor& view(std::size_t index) const { return buffers_[index].view; }
  /// Whether anybody else holds it.
  bool is_held(std::size_t index) const { return stepgate::is_held(view(index), own_references); }
  /// Lets go of the buffer and puts another one of its size in its place: a spare one, if there is one.
  void replace(std::size_t index);
  /// Makes spare ones until there are `count`.
  void make_spares(std::size_t index, std::size_t count);

 private:
  static constexpr std::size_t own_references = 2;  ///< `storage` and `view`

  struct Buffer {
    torch::Tensor storage;              ///< one dimension
    torch::Tensor view;                 ///< shaped as the last batch was
    std::vector<torch::Tensor> spares;  ///< as `storage`
  };
  torch::Tensor like(const torch::Tensor& storage) const;

  torch::Device device_;
  std::vector<Buffer> buffers_;
};

}  // namespace stepgate
