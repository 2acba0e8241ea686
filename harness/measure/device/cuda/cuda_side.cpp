#include <ATen/cuda/CUDAContext.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <array>

#include "measure/device/cuda/cuda_allocator.h"
#include "measure/device/cuda/cuda_answer.h"
#include "measure/device/cuda/cuda_backend.h"
#include "measure/device/cuda/cuda_copier.h"
#include "measure/device/cuda/cuda_queue.h"
#include "measure/device/cuda/cuda_sync_watch.h"
#include "measure/device/cuda/library_versions.h"
#include "measure/device/cupti/activity_trace.h"
#include "measure/device/cupti/device_call_counter.h"
#include "measure/device/device_side.h"
#include "measure/device/emulated_gpu.h"
#include "measure/device/pcie_link.h"
#include "measure/device/queued_copies.h"
#include "measure/device/work/operator_counter.h"

namespace stepgate {
namespace {

/// 13000 -> "13.0", as CUDA numbers its versions.
std::string cuda_version_text(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string pci_bus_id(int device) {
  std::array<char, 32> text{};
  C10_CUDA_CHECK(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
  return text.data();
}

/// The version of the loaded library. LibTorch's older versions only tell what they were built with.
template <typename Hooks>
std::string cudnn_version(const Hooks& hooks) {
  if constexpr (requires { hooks.versionRuntimeCuDNN(); }) {
    return std::to_string(hooks.versionRuntimeCuDNN());
  } else {
    return std::to_string(hooks.versionCuDNN());
  }
}

/// Throws where `answer` is not usable.
void require_cuda(const CudaAnswer& answer) {
  const CudaFinding finding = cuda_finding(answer);
  const std::string what = "--stepgate_device=cuda: " + finding.what;
  if (finding.state == CudaState::missing) throw NoCudaDevice(ErrorKind::measure, what, finding.remedy);
  if (finding.state == CudaState::broken) throw Error(ErrorKind::measure, what, finding.remedy);
}

/// Which library answered, by what the process has loaded. The title of an emulated GPU stands in place of the name, so
/// that no key of a real one holds it.
void add_evidence(Fingerprint& facts) {
  const auto library = loaded_cuda_library();
  if (!library) return;
  facts["cuda_library"] = library->path;
  facts["cuda_library_digest"] = library->digest;
  if (!library->emulated.empty()) facts["gpu"] = library->emulated;
}

class CudaSide final : public DeviceSide {
 public:
  explicit CudaSide(c10::DeviceIndex index) : streams_(open_cuda_streams(index)), queue_(make_cuda_queue(streams_)) {}

  torch::Device device() const override { return streams_.compute.device(); }
  std::unique_ptr<Backend> make_backend(CountingAllocator* /*cpu only*/) override {
    return make_cuda_backend(*queue_, streams_.compute.device_index());
  }
  std::unique_ptr<BatchCopier> make_copier() override { return make_cuda_copier(*queue_); }
  std::unique_ptr<WorkCounter> make_counter() override {
    return std::make_unique<cupti::DeviceCallCounter>(std::make_unique<OperatorCounter>(make_cuda_sync_watch()),
                                                      cupti::open_library());
  }
  std::variant<std::unique_ptr<DeviceWorkTrace>, std::string> make_work_trace() override {
    auto opened = cupti::open_library();
    if (auto* reason = std::get_if<std::string>(&opened)) return std::move(*reason);
    return cupti::make_activity_trace(std::get<0>(opened));
  }

  bool can_pin() const override { return true; }
  void release_cached_memory() override { c10::cuda::CUDACachingAllocator::emptyCache(); }

  void copy_tensors(const std::vector<torch::Tensor>& from, const std::vector<torch::Tensor>& to) override {
    const torch::NoGradGuard no_grad;
    const PackedTensors sources = packed(from);
    std::vector<DeviceBlock> targets;
    targets.reserve(to.size());
    for (const torch::Tensor& tensor : to) {
      targets.push_back({tensor.data_ptr(), static_cast<std::int64_t>(tensor.nbytes())});
    }
    queue_copies(*queue_, sources.bytes, targets, {"h2d pass: write of", 0, 0});
  }

  std::optional<std::int64_t> link_bytes_per_s() const override {
    return pcie_link_of(pci_bus_id(streams_.compute.device_index()));
  }

  Fingerprint facts() const override {
    const c10::DeviceIndex device = streams_.compute.device_index();
    int runtime = 0;
    C10_CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    const cudaDeviceProp& properties = *at::cuda::getDeviceProperties(device);
    Fingerprint facts = {
        {"gpu", properties.name},
        {"gpu_pci_bus_id", pci_bus_id(device)},
        {"gpu_compute_capability", std::to_string(properties.major) + "." + std::to_string(properties.minor)},
        {"gpu_memory_bytes", std::to_string(properties.totalGlobalMem)},
        {"cuda_runtime", cuda_version_text(runtime)},
        {"cudnn", cudnn_version(at::detail::getCUDAHooks())}};
    facts.merge(loaded_library_versions());
    add_evidence(facts);
    return facts;
  }

  std::optional<GpuProperties> gpu_properties() const override {
    const cudaDeviceProp& found = *at::cuda::getDeviceProperties(streams_.compute.device_index());
    return GpuProperties{.compute_major = found.major,
                         .compute_minor = found.minor,
                         .multiprocessors = found.multiProcessorCount,
                         .l2_bytes = found.l2CacheSize,
                         .memory_bytes = static_cast<std::int64_t>(found.totalGlobalMem)};
  }

  std::optional<DeviceCapacity> memory() const override {
    const c10::cuda::CUDAGuard on_device(streams_.compute.device());
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    C10_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    return DeviceCapacity{static_cast<std::int64_t>(free_bytes), static_cast<std::int64_t>(total_bytes)};
  }

  std::map<std::string, std::string> absent_exact_metrics() const override { return metrics_without_allocator(); }
  std::map<std::string, std::string> absent_timed_metrics() const override {
    if (link_bytes_per_s()) return {};
    return {{"h2d_link_share", "the kernel does not report the speed of the GPU's link"}};
  }

 private:
  CudaStreams streams_;
  std::unique_ptr<DeviceQueue> queue_;
};

}  // namespace

std::unique_ptr<DeviceSide> open_cuda_side(std::int64_t index) {
  const CudaAnswer answer = ask_for_devices();
  require_cuda(answer);
  if (index >= answer.devices) {
    throw NoCudaDevice(ErrorKind::measure,
                       "--stepgate_device=cuda: rank " + std::to_string(index) +
                           " needs a GPU of its own, visible: " + std::to_string(answer.devices),
                       "declare the GPUs of the case (stepgate_add_cases(... GPUS n)), check CUDA_VISIBLE_DEVICES, or "
                       "measure on a machine with a GPU for each rank");
  }
  require_cuda(ask_for_device(static_cast<int>(index)));
  return std::make_unique<CudaSide>(static_cast<c10::DeviceIndex>(index));
}

}  // namespace stepgate
