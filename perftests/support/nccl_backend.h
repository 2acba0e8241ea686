// NCCL for ranks that train on a GPU each; absent where LibTorch has no CUDA or nccl.h was not found at build time.
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

/// Throws std::runtime_error where this build has no NCCL.
c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const NcclContext& context);

}  // namespace stepgate
