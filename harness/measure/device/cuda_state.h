// Whether a process has CUDA devices, and what it means if it has none: a machine without a GPU, or a broken one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// What the CUDA runtime and the kernel's driver say.
struct CudaAnswer {
  int error = 0;                         ///< cudaError_t of the call that failed; 0: none
  std::string error_name = {};           ///< "cudaErrorNoDevice"
  std::string error_text = {};           ///< the runtime's own sentence
  std::int64_t devices = 0;              ///< visible to this process
  int driver_version = 0;                ///< the newest CUDA version that the driver serves, 13000; 0: no driver
  int runtime_version = 0;               ///< version of the runtime that this program uses
  std::optional<std::string> visible{};  ///< CUDA_VISIBLE_DEVICES; absent: not set
  std::vector<std::string> listed = {};  ///< bus ids in /proc/driver/nvidia/gpus
};

enum class CudaState {
  usable,   ///< there are devices
  missing,  ///< this machine has no GPU or no driver, or the user hides all GPUs: a case is skipped
  broken,   ///< there should be one: a case fails
};

struct CudaFinding {
  CudaState state = CudaState::usable;
  std::string what = {};    ///< one sentence with the runtime's error; "" where usable
  std::string remedy = {};  ///< what to try next
};

/// Pure. Only two things are missing: "no driver" (cudaErrorInsufficientDriver with driver version 0,
/// cudaErrorStubLibrary), and "no device" (cudaErrorNoDevice), unless CUDA_VISIBLE_DEVICES names a GPU and the kernel
/// lists some. Every other error is broken; the table in the .cpp has the meaning of each. Numbers: driver_types.h of
/// CUDA 13.
CudaFinding cuda_finding(const CudaAnswer& answer);

}  // namespace stepgate
