// Where in the sequence of random numbers of a device an operator draws.
#pragma once

#include <ATen/core/Generator.h>

#include <cstdint>

namespace stepgate::emulator {

/// The seed of the device's generator, and how many numbers it had drawn. Two operators at the same place draw the same
/// numbers: the backward of attention makes the mask of the forward again, and a checkpointed block that of its first
/// pass.
struct RandomPlace {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

/// What an operator knows of its place when it is queued. In a graph the numbers are in the device's memory, and each
/// launch has others.
struct RandomSource {
  RandomPlace place;
  const std::int64_t* seed_at = nullptr;  ///< nullptr outside of captures
  const std::int64_t* offset_at = nullptr;

  RandomPlace now() const;
};

/// A generator of the CPU for one operator. Its numbers are not those of the device: only their distribution is.
at::Generator generator_at(const RandomPlace& place);

}  // namespace stepgate::emulator
