#include "measure/device/device_side.h"

#include "core/kernels/launch_name.h"
#include "measure/device/cpu/cpu_backend.h"
#include "measure/device/cpu/cpu_copier.h"
#include "measure/device/work/observed_counter.h"
#include "measure/device/work/operator_counter.h"

namespace stepgate {
namespace {

constexpr const char* host_is_device = "the CPU is host and device at once";
constexpr const char* no_kernels = "the CPU runs operators, not device kernels";
constexpr const char* no_device_calls = "the CPU runs operators, and no calls of a device's driver";

class CpuSide final : public DeviceSide {
 public:
  torch::Device device() const override { return torch::kCPU; }
  std::unique_ptr<Backend> make_backend(CountingAllocator* allocator) override { return make_cpu_backend(allocator); }
  std::unique_ptr<BatchCopier> make_copier() override { return make_cpu_copier(); }
  std::unique_ptr<WorkCounter> make_counter() override { return std::make_unique<OperatorCounter>(nullptr); }
  std::variant<std::unique_ptr<DeviceWorkTrace>, std::string> make_work_trace() override { return host_is_device; }
  bool can_pin() const override { return false; }
  void copy_tensors(const std::vector<torch::Tensor>& from, const std::vector<torch::Tensor>& to) override {
    const torch::NoGradGuard no_grad;
    for (std::size_t i = 0; i < from.size(); ++i) to[i].copy_(from[i]);
  }
  std::optional<std::int64_t> link_bytes_per_s() const override { return std::nullopt; }
  Fingerprint facts() const override { return {}; }
  std::map<std::string, std::string> absent_exact_metrics() const override {
    return {{"kernels_per_step", no_kernels},
            {std::string(own_kernels_metric), no_kernels},
            {std::string(library_calls_metric), no_kernels},
            {"graph_launches_per_step", no_device_calls},
            {"memcpys_per_step", no_device_calls},
            {"memsets_per_step", no_device_calls},
            {"device_allocations_per_step", no_device_calls},
            {"device_syncs_per_step", no_device_calls},
            {"peak_reserved_bytes", "the CPU allocator reserves nothing beyond what is allocated"},
            {"reserved_growth_bytes_per_step", "the CPU allocator reserves nothing beyond what is allocated"},
            {"pageable_copies_per_step", "page-locked memory needs a GPU"},
            {"d2h_copies_per_step", "tensors are on the host already; reads of a scalar count as host syncs"}};
  }
  std::map<std::string, std::string> absent_timed_metrics() const override {
    return {{"h2d_pinned_bytes_per_s", "page-locked memory needs a GPU"},
            {"h2d_link_share", "a copy within the host crosses no link"},
            {"h2d_overlap_ratio", "the CPU copies and computes one after the other"},
            {"device_idle_ratio", host_is_device}};
  }
};

}  // namespace

std::unique_ptr<WorkCounter> make_observed_counter(DeviceSide& device, Backend& backend,
                                                   std::function<std::vector<torch::Tensor>()> parameters) {
  ObserverOptions options;
  options.on_gpu = device.device().is_cuda();
  options.with_launches = options.on_gpu;
  if (!options.on_gpu) {  // there the allocator's counters are read under a lock
    options.requested_bytes = [&backend] { return backend.memory().requested_bytes; };
  }
  return std::make_unique<ObservedCounter>(device.make_counter(), options, std::move(parameters));
}

std::unique_ptr<DeviceSide> open_device(const std::string& name, std::int64_t index) {
  if (name == "cpu") return std::make_unique<CpuSide>();
  if (name == "cuda") return open_cuda_side(index);
  throw Error(ErrorKind::usage, "--stepgate_device=" + name + ": no such device", "give cpu or cuda");
}

}  // namespace stepgate
