// Copies a host batch into permanent device buffers: boundary h2d.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace stepgate {

class BatchCopier {
 public:
  virtual ~BatchCopier() = default;
  /// The batch on the device. On an asynchronous device the copy may still run; work that is enqueued later on the
  /// compute stream sees the complete batch.
  virtual std::vector<torch::Tensor> copy(const std::vector<torch::Tensor>& host) = 0;
  /// Tells that the step with the last copy is enqueued completely: a later copy may overwrite its buffers after it.
  virtual void step_enqueued() = 0;

 protected:
  BatchCopier() = default;
  BatchCopier(const BatchCopier&) = default;
  BatchCopier& operator=(const BatchCopier&) = default;
};

/// One buffer per tensor of a batch, on one device. Grows to the largest tensor seen and never shrinks.
class DeviceBuffers {
 public:
  explicit DeviceBuffers(torch::Device device) : device_(device) {}

  /// A tensor of the shape and dtype of `host` over buffer `index`. Allocates only where the buffer is too small or
  /// has another dtype. Not recorded as work of the step.
  torch::Tensor shaped_like(const torch::Tensor& host, std::size_t index);

 private:
  struct Buffer {
    torch::Tensor storage;  ///< one dimension
    torch::Tensor view;     ///< shaped as the last batch was
  };
  torch::Device device_;
  std::vector<Buffer> buffers_;
};

}  // namespace stepgate
