// Replaces cuda_side.cpp if LibTorch was built without CUDA.
#include "measure/device/device_side.h"

namespace stepgate {

std::unique_ptr<DeviceSide> open_cuda_side(std::int64_t /*index*/) {
  throw DeviceMissing(ErrorKind::measure, "--stepgate_device=cuda: this LibTorch was built without CUDA",
                      "build against a CUDA LibTorch (ci/setup installs one), or measure with --stepgate_device=cpu");
}

}  // namespace stepgate
