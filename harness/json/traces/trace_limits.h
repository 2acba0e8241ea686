// How much of a trace is read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stepgate {

struct TraceLimits {
  std::uint64_t text_bytes = std::uint64_t{4} << 30U;  ///< after decompression: some 10 million events
  std::size_t events = 20'000'000;                     ///< 1 GB of memory
};

}  // namespace stepgate
