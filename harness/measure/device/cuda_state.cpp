#include "measure/device/cuda_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace stepgate {
namespace {

constexpr int stub_library = 34;
constexpr int insufficient_driver = 35;
constexpr int no_device = 100;

/// An error of the runtime that says: there is a GPU or a driver, and it does not work.
struct BrokenRow {
  int error;
  const char* meaning;
  const char* remedy;
};

constexpr BrokenRow broken_rows[] = {
    {2, "there is no memory left to start with", "see what holds the GPU's memory: nvidia-smi"},
    {3, "the driver does not initialise", "run nvidia-smi, and see the kernel's log for NVRM: dmesg"},
    {46, "every GPU is in use by another process, or its compute mode is 'prohibited'",
     "see who uses it, and set the compute mode: nvidia-smi -q -d COMPUTE; nvidia-smi -c DEFAULT"},
    {101, "CUDA_VISIBLE_DEVICES names something that is not a device, or one device twice",
     "name each GPU once, by its UUID: nvidia-smi -L"},
    {102, "the GPU has no licence for this use", "check the licence of the virtual GPU: nvidia-smi -q"},
    {127, "the CUDA library did not start", "check that driver and libraries are of one version: nvidia-smi"},
    {201, "the GPU was lost or reset, or its context is gone", "run nvidia-smi, and see the kernel's log: dmesg"},
    {214, "an uncorrectable error of the GPU's memory (ECC)",
     "see nvidia-smi -q -d ECC, reset or replace the GPU, and measure on another one meanwhile"},
    {220, "an uncorrectable error of NVLink", "see nvidia-smi nvlink -e, and reset the GPU"},
    {226, "an error of the GPU's memory was contained by ending this process", "see nvidia-smi -q -d ECC"},
    {304, "a call to the operating system failed in the driver",
     "check that /dev/nvidia* and /dev/nvidia-uvm exist here and may be opened, and the limit of open files"},
    {800, "this process may not use the GPU", "check who may open /dev/nvidia*"},
    {802, "the system is not ready: on machines with NVSwitch the fabric manager must run",
     "systemctl status nvidia-fabricmanager"},
    {803, "kernel driver and user-space driver are of different versions",
     "after an update of the driver, restart the machine or load the kernel module again"},
    {804, "the compatibility libraries of this CUDA do not support this GPU",
     "remove the folder 'compat' from LD_LIBRARY_PATH, or update the driver"},
    {805, "the Multi-Process Service does not answer", "start or stop it: nvidia-cuda-mps-control"},
    {806, "the Multi-Process Service failed", "start it again: nvidia-cuda-mps-control"},
    {807, "the server of the Multi-Process Service is not ready", "wait, or start it again: nvidia-cuda-mps-control"},
    {808, "the Multi-Process Service has as many clients as it takes", "end some of them"},
    {999, "the driver does not say what failed", "check that the module nvidia_uvm is loaded: nvidia-modprobe -u"},
};

std::string version_text(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

std::string error_of(const CudaAnswer& answer) { return fmt::format("{} ({})", answer.error_name, answer.error_text); }

bool hides_all(const std::optional<std::string>& visible) {
  return visible && (visible->empty() || visible->front() == '-' || *visible == "NoDevFiles");
}

/// A container that was given no GPU still sees the host's list.
std::string despite_list(const CudaAnswer& answer) {
  return answer.listed.empty() ? "" : fmt::format(", although the kernel lists {}", fmt::join(answer.listed, ", "));
}

CudaFinding without_driver(const CudaAnswer& answer) {
  return {CudaState::missing,
          fmt::format("no NVIDIA driver is installed here{}: {}", despite_list(answer), error_of(answer)),
          answer.listed.empty()
              ? "measure with --stepgate_device=cpu, or on a machine with a GPU"
              : "give the container its GPUs (docker run --gpus all), or measure with --stepgate_device=cpu"};
}

CudaFinding without_device(const CudaAnswer& answer) {
  if (hides_all(answer.visible)) {
    return {CudaState::missing,
            fmt::format("CUDA_VISIBLE_DEVICES='{}' hides every GPU from this process", *answer.visible),
            "unset CUDA_VISIBLE_DEVICES to measure on a GPU"};
  }
  if (!answer.visible || answer.listed.empty()) {
    return {CudaState::missing,
            fmt::format("no CUDA device is visible to this process{}: {}", despite_list(answer), error_of(answer)),
            "run `nvidia-smi`, or measure with --stepgate_device=cpu"};
  }
  return {CudaState::broken,
          fmt::format("the kernel lists the GPUs {}, and CUDA_VISIBLE_DEVICES='{}' offers none of them: {}",
                      fmt::join(answer.listed, ", "), *answer.visible, error_of(answer)),
          "name the GPU by its UUID in CUDA_VISIBLE_DEVICES (nvidia-smi -L), and run nvidia-smi in this environment"};
}

CudaFinding broken(const CudaAnswer& answer) {
  const auto row = std::find_if(std::begin(broken_rows), std::end(broken_rows),
                                [&](const BrokenRow& one) { return one.error == answer.error; });
  if (row == std::end(broken_rows)) {
    return {CudaState::broken, fmt::format("CUDA does not work here: {}", error_of(answer)),
            "run nvidia-smi, and see the kernel's log: dmesg"};
  }
  return {CudaState::broken, fmt::format("{}: {}", error_of(answer), row->meaning), row->remedy};
}

CudaFinding old_driver(const CudaAnswer& answer) {
  return {CudaState::broken,
          fmt::format("{}: the driver serves CUDA {} at most, and this program was built for CUDA {}", error_of(answer),
                      version_text(answer.driver_version), version_text(answer.runtime_version)),
          "update the driver, or link a LibTorch for an older CUDA"};
}

}  // namespace

CudaFinding cuda_finding(const CudaAnswer& answer) {
  if (answer.error == 0 && answer.devices > 0) return {};
  if (answer.error == 0 || answer.error == no_device) return without_device(answer);
  if (answer.error == stub_library) return without_driver(answer);
  if (answer.error == insufficient_driver)
    return answer.driver_version == 0 ? without_driver(answer) : old_driver(answer);
  return broken(answer);
}

}  // namespace stepgate
