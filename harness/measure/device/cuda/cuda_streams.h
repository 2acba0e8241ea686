// The two streams of a training step on a GPU: one for the workload's compute, one for copies.
#pragma once

#include <c10/cuda/CUDAStream.h>

namespace stepgate {

struct CudaStreams {
  c10::cuda::CUDAStream compute;
  c10::cuda::CUDAStream copy;
};

}  // namespace stepgate
