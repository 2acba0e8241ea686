// A small training on the GPU: a convolution, a matrix product, and attention in float32 and bfloat16; forward,
// backward and update, from a fixed seed.
#pragma once

#include "measure/device/determinism.h"
#include "measure/device/device_side.h"
#include "measure/device_check/probe_device.h"

namespace stepgate {

/// Weights and data of the training. LibTorch is deterministic while it lives.
class CudaProbeTraining {
 public:
  explicit CudaProbeTraining(Determinism determinism = Determinism::strict);
  ~CudaProbeTraining();
  CudaProbeTraining(const CudaProbeTraining&) = delete;
  CudaProbeTraining& operator=(const CudaProbeTraining&) = delete;

  /// Copies a batch from pageable memory, trains, clears a buffer, and reads the loss: kernels, copies both ways and
  /// one memset.
  float step();
  /// Digest over the bits of all losses so far and of the weights.
  std::string digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

ProbeTraining train_on_cuda(int steps);

/// Peaks of the second step, since the first one allocates workspaces. They come from the tap and the statistics that
/// the memory pass uses.
ProbePeaks traced_cuda_step(DeviceSide& side);

/// Work of a warm step, as LibTorch's profiler counts it.
ProbeWork cuda_step_counted_by_kineto();

}  // namespace stepgate
