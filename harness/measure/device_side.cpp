#include "measure/device_side.h"

#include "measure/cpu_backend.h"
#include "measure/cpu_copier.h"
#include "measure/operator_counter.h"

namespace stepgate {
namespace {

class CpuSide final : public DeviceSide {
 public:
  torch::Device device() const override { return torch::kCPU; }
  std::unique_ptr<Backend> make_backend(CountingAllocator* allocator) override { return make_cpu_backend(allocator); }
  std::unique_ptr<BatchCopier> make_copier() override { return make_cpu_copier(); }
  std::unique_ptr<WorkCounter> make_counter() override { return std::make_unique<OperatorCounter>(nullptr); }
  Fingerprint facts() const override { return {}; }
  std::map<std::string, std::string> absent_exact_metrics() const override {
    return {{"kernels_per_step", "the CPU runs operators, not device kernels"},
            {"peak_reserved_bytes", "the CPU allocator reserves nothing beyond what is allocated"}};
  }
};

}  // namespace

std::unique_ptr<DeviceSide> open_device(const std::string& name) {
  if (name == "cpu") return std::make_unique<CpuSide>();
  if (name == "cuda") return open_cuda_side();
  throw Error(ErrorKind::usage, "--stepgate_device=" + name + ": no such device", "give cpu or cuda");
}

}  // namespace stepgate
