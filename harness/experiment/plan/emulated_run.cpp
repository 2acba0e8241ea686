#include "experiment/plan/emulated_run.h"

#include <filesystem>

#include "core/emulated_gpu_name.h"

namespace stepgate {

std::string runner_class_of(const EmulatedDevice& device) { return std::string(emulated_class_prefix) + device.model; }

EmulatedGpu emulated_gpu_of(const Manifest& manifest, const EmulatedDevice& device) {
  // Only a program of the build says where it is if the manifest lies elsewhere.
  const std::filesystem::path program = manifest.cases.empty() ? manifest.path : manifest.cases.front().program;
  return {.device = device, .folder = emulated_gpu_folder(program, manifest.path.parent_path()), .settings = {}};
}

}  // namespace stepgate
