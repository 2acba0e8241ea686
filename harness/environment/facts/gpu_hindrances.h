// What a container, the driver's version or its settings take from measurements on a GPU, before anything is measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/record/fingerprint.h"

namespace stepgate {

/// What the kernel's files say of the GPUs of this machine and of this process's place beside them.
struct GpuSurroundings {
  std::size_t listed = 0;                                   ///< GPUs that the kernel's driver lists
  std::size_t offered = 0;                                  ///< /dev/nvidia0, /dev/nvidia1, ...
  std::string driver = {};                                  ///< "580.65.06"; "" where it could not be read
  std::optional<std::int64_t> shared_bytes = std::nullopt;  ///< size of /dev/shm; absent where there is none
  bool profiling_is_restricted = false;                     ///< to administrators
  bool is_administrator = false;                            ///< CAP_SYS_ADMIN
};

/// `host` is of host_fingerprint(). Throws nothing.
GpuSurroundings read_gpu_surroundings(const std::filesystem::path& sysroot, const Fingerprint& host);

/// One sentence each, with what to do, in the order in which a person mends them (docs/gpu_machine.md). None where
/// there is no GPU. ci/check_machine asks the same of a machine without a build. Pure.
std::vector<std::string> gpu_hindrances(const GpuSurroundings& place);

}  // namespace stepgate
