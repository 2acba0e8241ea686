// The generator of an emulated device.
#pragma once

#include <ATen/core/ivalue.h>

#include "emulator/values/random_place.h"

namespace stepgate::emulator {

/// Where `generator` stands, or the device's own where it is None. Read before the operator's CUDA
/// code advances it. LibTorch asks for the capture state of the stream then, once more than without values.
RandomSource random_source(const c10::IValue& generator, c10::Device device);

}  // namespace stepgate::emulator
