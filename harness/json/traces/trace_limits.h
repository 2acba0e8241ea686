// How much of a trace is read. With these limits no trace takes more than 200 MB of memory, whatever it holds, if its
// operands are not read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stepgate {

struct TraceLimits {
  std::uint64_t text_bytes = std::uint64_t{4} << 30U;  ///< after decompression
  /// Own choice: 90 MB of events, which leaves as much again for the account. A trace of 1 GiB holds 2.6 million.
  std::size_t events = 2'700'000;
  std::size_t names = 20'000;   ///< own choice: a large job has some thousands of kernels and operators
  std::size_t steps = 100'000;  ///< own choice: a recording has some tens
  std::size_t operands = 0;     ///< different operands of operators; 0: they are not read
};

/// Own choice, with most_operand_bytes 70 MB at most: a large job has some hundreds of shapes.
inline constexpr std::size_t most_trace_operands = 5'000;
/// Own choice, twice what a backward of a convolution takes. Of a call with more the operands are not known.
inline constexpr std::size_t most_operand_bytes = 4'000;

/// Own choices, a thousand times what any profiler was seen to write.
inline constexpr std::uint64_t most_string_bytes = std::uint64_t{16} << 20U;
inline constexpr std::uint64_t most_blank_bytes = std::uint64_t{1} << 20U;
inline constexpr std::size_t most_word_bytes = 1000;  ///< a number, true, null, inf

/// What is kept of one string: no name, category or number of an account is longer.
inline constexpr std::size_t most_kept_bytes = 300;

/// Own choices, each a hundred times what a large job has, and a few MB at most.
inline constexpr std::size_t most_trace_threads = 2'000;
inline constexpr std::size_t most_trace_devices = 1'000;
inline constexpr std::size_t most_open_ranges = 20'000;  ///< ph B without their E so far
inline constexpr std::size_t most_tallied_categories = 64;

}  // namespace stepgate
