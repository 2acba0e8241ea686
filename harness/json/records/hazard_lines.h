// The file of hazards that the processes of one run on an emulated GPU write, one JSON object a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/stream_hazards.h"

namespace stepgate {

/// A longer file is not read: a process writes at most 1000 hazards of some 2 kB.
inline constexpr std::size_t most_hazard_file_bytes = std::size_t{64} << 20U;

struct HazardLines {
  StreamHazards hazards;  ///< sums over the processes, which write into one file; each hazard counts, in its order
  /// That wrote their last line and saw an access. One that starts the ranks of a case sees none.
  std::int64_t ended_processes = 0;
};

/// Throws Error(measure) for a line that is none, for a file without the last line of a process, for one in which a
/// hazard follows the last end, for one that is too long, and where a sum is above 2^53.
HazardLines hazards_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
