// Replaces nccl_backend.cpp if this build has no NCCL.
#include <stdexcept>

#include "support/nccl_backend.h"

namespace stepgate {

c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const NcclContext& /*context*/) {
  throw std::runtime_error("this build has no NCCL: configure it with a CUDA LibTorch and nccl.h beside it");
}

}  // namespace stepgate
