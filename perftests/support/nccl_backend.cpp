#include "support/nccl_backend.h"

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace stepgate {

c10::intrusive_ptr<c10d::Backend> make_nccl_backend(const NcclSeat& seat) {
  const auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = seat.patience;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(seat.store, seat.rank, seat.ranks, options);
}

}  // namespace stepgate
