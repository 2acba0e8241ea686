#include "environment/facts/gpu_hindrances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// CUDA Toolkit release notes, "Minimum Required Driver Version for CUDA Minor Version Compatibility": 580 for CUDA 13,
/// which ci/setup installs, 525 for CUDA 12.
constexpr std::int64_t least_driver = 580;
/// NCCL takes tens of MB for each pair of ranks (docs/gpu_runner.md, "Several GPUs in a container").
constexpr std::int64_t least_shared_bytes = std::int64_t{1} << 30;
constexpr unsigned long long sys_admin = 1ULL << 21U;  // CAP_SYS_ADMIN of linux/capability.h

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  return names;
}

/// "nvidia0", not "nvidiactl" or "nvidia-uvm".
bool is_gpu_file(const std::string& name) {
  constexpr std::string_view begin = "nvidia";
  return name.size() > begin.size() && name.starts_with(begin) &&
         name.find_first_not_of("0123456789", begin.size()) == std::string::npos;
}

std::optional<std::int64_t> size_of(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error) return std::nullopt;
  return static_cast<std::int64_t>(space.capacity);
}

bool has_sys_admin(const fs::path& sysroot) {
  const auto status = read_pseudo_file(sysroot / "proc/self/status");
  const auto mask = status ? value_after(*status, "CapEff") : std::nullopt;
  return mask && (std::strtoull(mask->c_str(), nullptr, 16) & sys_admin) != 0;
}

/// The number before the first dot; absent where there is none.
std::optional<std::int64_t> branch_of(const std::string& driver) {
  return integer_from(driver.substr(0, driver.find('.')));
}

bool has_no_file(const GpuSurroundings& place) { return place.listed > 0 && place.offered == 0; }
std::string no_file(const GpuSurroundings& place) {
  return fmt::format(
      "the kernel's driver lists {} GPU{} and there is no /dev/nvidia0: start the container with --gpus all; outside "
      "of "
      "one, run nvidia-smi as root, which makes the file",
      place.listed, place.listed == 1 ? "" : "s");
}

bool is_old(const GpuSurroundings& place) {
  const auto branch = branch_of(place.driver);
  return place.offered > 0 && branch && *branch < least_driver;
}
std::string old_driver(const GpuSurroundings& place) {
  return fmt::format(
      "the driver {} is older than R{}, which CUDA 13 needs: update it on the host; a LibTorch for CUDA 12 runs on "
      "R525 "
      "and newer",
      place.driver, least_driver);
}

bool shares_little(const GpuSurroundings& place) {
  return place.offered > 1 && place.shared_bytes.value_or(0) < least_shared_bytes;
}
std::string little_shared(const GpuSurroundings& place) {
  return fmt::format(
      "/dev/shm has {} MiB, too little for ranks of NCCL on {} GPUs: start the container with --shm-size=1g or "
      "--ipc=host",
      place.shared_bytes.value_or(0) >> 20, place.offered);
}

bool may_not_profile(const GpuSurroundings& place) {
  return place.offered > 0 && place.profiling_is_restricted && !place.is_administrator;
}
std::string no_profiling(const GpuSurroundings& /*place*/) {
  return "the driver lets only administrators profile, so calls of the GPU may be uncounted: set "
         "NVreg_RestrictProfilingToAdminUsers=0 for its module, or start the container with --cap-add=SYS_ADMIN";
}

struct HindranceRow {
  bool (*stands)(const GpuSurroundings&);
  std::string (*text)(const GpuSurroundings&);
};
constexpr HindranceRow hindrance_rows[] = {
    {has_no_file, no_file}, {is_old, old_driver}, {shares_little, little_shared}, {may_not_profile, no_profiling}};

}  // namespace

GpuSurroundings read_gpu_surroundings(const fs::path& sysroot, const Fingerprint& host) {
  const std::vector<std::string> devices = names_in(sysroot / "dev");
  const auto settings = read_pseudo_file(sysroot / "proc/driver/nvidia/params");
  const auto driver = host.find("gpu_driver");
  return {.listed = names_in(sysroot / "proc/driver/nvidia/gpus").size(),
          .offered = static_cast<std::size_t>(std::count_if(devices.begin(), devices.end(), is_gpu_file)),
          .driver = driver == host.end() ? "" : driver->second,
          .shared_bytes = size_of(sysroot / "dev/shm"),
          .profiling_is_restricted = settings && value_after(*settings, "RmProfilingAdminOnly") == "1",
          .is_administrator = has_sys_admin(sysroot)};
}

std::vector<std::string> gpu_hindrances(const GpuSurroundings& place) {
  std::vector<std::string> found;
  for (const HindranceRow& row : hindrance_rows) {
    if (row.stands(place)) found.push_back(row.text(place));
  }
  return found;
}

}  // namespace stepgate
