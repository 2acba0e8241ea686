// NCCL for ranks with one GPU each; absent if LibTorch has no CUDA or the build did not find nccl.h.
#pragma once

#include <chrono>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace stepgate {

struct NcclContext {
  c10::intrusive_ptr<c10d::Store> store;
  int rank = 0;
  int ranks = 1;
  std::chrono::milliseconds patience{0};  ///< of a collective, from its call to its end on the GPU
};

/// A collective that takes longer is aborted, and the next one throws. LibTorch's own default ends the process with
/// SIGABRT from a thread of its own; TORCH_NCCL_ASYNC_ERROR_HANDLING of the user wins.
/// The end of the last reference shuts the communicators down together with the other ranks; where they do not come to
/// their end within 10 s, it aborts them.
/// Throws std::runtime_error if this build has no NCCL.
c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const NcclContext& context);

}  // namespace stepgate
