// What the runtime keeps for each thread of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/process/operator_scope.h"
#include "emulator/work/operation.h"
#include "emulator/work/stream_capture.h"

namespace stepgate::emulator {

/// Of <<<grid, block, shared, stream>>>: __cudaPushCallConfiguration keeps it until the stub of the kernel takes it.
struct LaunchConfiguration {
  Extent grid;
  Extent block;
  std::uint64_t shared_bytes = 0;
  StreamHandle stream = default_stream;
};

struct ThreadState {
  std::uint64_t number = 0;  ///< counts the threads that called, from 1
  int device = 0;            ///< as the process counts the devices that it sees
  CaptureMode capture_mode = CaptureMode::global;
  int last_error = 0;  ///< a cudaError_t: what cudaGetLastError() answers and forgets
  std::vector<LaunchConfiguration> configurations;
  OperatorScope operator_scope;
};

/// Of the calling thread.
ThreadState& thread_state();

}  // namespace stepgate::emulator
