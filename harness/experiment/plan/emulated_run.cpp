#include "experiment/plan/emulated_run.h"

#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/emulated_gpu_name.h"

namespace stepgate {

std::string runner_class_of(const EmulatedDevice& device) {
  return std::string(emulated_class_prefix).append(device.model).append(device.values ? values_class_suffix : "");
}

std::optional<EmulatedDevice> emulated_device_of_class(std::string_view runner_class) {
  if (!runner_class.starts_with(emulated_class_prefix)) return std::nullopt;
  std::string_view model = runner_class.substr(emulated_class_prefix.size());
  const bool values = model.ends_with(values_class_suffix);
  if (values) model.remove_suffix(values_class_suffix.size());
  return EmulatedDevice{.model = std::string(model), .devices = 1, .values = values};
}

EmulatedGpu emulated_gpu_of(const Manifest& manifest, const EmulatedDevice& device) {
  // Only a program of the build says where it is if the manifest lies elsewhere.
  const std::filesystem::path program = manifest.cases.empty() ? manifest.path : manifest.cases.front().program;
  EmulatedGpu gpu{
      .device = device, .folder = emulated_gpu_folder(program, manifest.path.parent_path()), .settings = {}};
  const char* const searched = std::getenv("LD_LIBRARY_PATH");
  std::set<std::filesystem::path> programs;
  for (const ManifestCase& entry : manifest.cases) {
    if (entry.device == Device::cuda && programs.insert(entry.program).second)
      refuse_other_libtorch(gpu.folder, entry.program, searched == nullptr ? "" : searched);
  }
  return gpu;
}

}  // namespace stepgate
