// The operator with values whose CUDA code a thread runs.
#pragma once

#include <cstdint>

namespace stepgate::emulator {

/// What a copy to the host delivers that LibTorch's CUDA code makes inside an operator.
enum class DeviceReads : int {
  refused,   ///< nothing: the memory has its values only after the operator
  allowed,   ///< what the memory holds
  answered,  ///< OperatorScope::answer
};

/// The operator whose CUDA code a thread runs. What its kernels, memsets and copies within devices would write, the
/// operator's values write later. So those only count.
struct OperatorScope {
  const char* name = nullptr;  ///< outlives the process; nullptr outside of operators with values
  DeviceReads reads = DeviceReads::refused;
  std::int64_t answer = 0;
};

}  // namespace stepgate::emulator
