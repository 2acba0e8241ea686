#include "measure/device/cpu/cpu_copier.h"

namespace stepgate {
namespace {

class CpuCopier final : public BatchCopier {
 public:
  std::vector<torch::Tensor> copy(const std::vector<torch::Tensor>& host) override {
    const torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> device;
    device.reserve(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) {
      device.push_back(buffers_.shaped_like(host[i], i));
      device.back().copy_(host[i]);
    }
    return device;
  }
  void step_enqueued() override {}

  void leave_held(std::int64_t step) override {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (!buffers_.is_held(i)) continue;
      held_.note(i, buffers_.view(i), step);
      if (!addresses_are_fixed()) buffers_.replace(i);
    }
  }

  void make_spares(std::int64_t copies) override {
    if (addresses_are_fixed()) return;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (held_.was_held(i)) buffers_.make_spares(i, static_cast<std::size_t>(copies));
    }
  }

 private:
  DeviceBuffers buffers_{torch::kCPU};
};

}  // namespace

std::unique_ptr<BatchCopier> make_cpu_copier() { return std::make_unique<CpuCopier>(); }

}  // namespace stepgate
