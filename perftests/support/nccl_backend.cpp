#include "support/nccl_backend.h"

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace stepgate {

c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const NcclContext& context) {
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = context.patience;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(context.store, context.rank, context.ranks, options);
}

}  // namespace stepgate
