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
  std::chrono::milliseconds patience{0};
};

/// Throws std::runtime_error if this build has no NCCL.
c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const NcclContext& context);

}  // namespace stepgate
