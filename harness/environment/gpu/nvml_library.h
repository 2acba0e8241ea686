// NVIDIA's management library, opened at run time: stepgate builds and starts without it.
#pragma once

#include <memory>
#include <string>

#include "environment/gpu/gpu_driver.h"

namespace stepgate {

/// As every driver installs it; found through the loader's usual paths, LD_LIBRARY_PATH included.
inline constexpr const char* nvml_name = "libnvidia-ml.so.1";

/// The library from open() to destruction: nvmlInit_v2 and nvmlShutdown are paired. While one is open the GPUs stay
/// initialised, so that clocks locked without persistence last at least as long as this. It makes no CUDA context and
/// so is not a compute process. Calls may come from several threads.
class NvmlLibrary {
 public:
  /// Never fails: where the library, its first functions or the driver are missing, get() is nullptr and reason() says
  /// what was found. Any other function that the library lacks only makes its own call answer ENOTSUP.
  static NvmlLibrary open(const std::string& path = nvml_name);

  GpuDriver* get() const { return driver_.get(); }
  const std::string& reason() const { return reason_; }  ///< "" where it is open
  int code() const { return code_; }                     ///< errno as in GpuOutcome, 0 where it is open

 private:
  NvmlLibrary() = default;
  std::unique_ptr<GpuDriver> driver_;
  std::string reason_;
  int code_ = 0;
};

}  // namespace stepgate
