// Up to which step anything was judged.
#pragma once

#include <cstdint>
#include <string>

namespace stepgate {

/// Of all processes of a case together, but for those that do not count as measured.
struct JudgedLosses {
  std::int64_t last_step = 0;  ///< the highest number of a step whose loss was looked at
  std::int64_t seen = 0;       ///< losses looked at, each of which must be finite
  std::int64_t steps = 0;      ///< steps that computed one
  std::int64_t compared = 0;   ///< steps of the numerics pass that were compared; 0: there is nothing to compare with

  bool operator==(const JudgedLosses&) const = default;
};

/// "judged up to step 267: 1340 of 1340 losses were looked at, the first 21 steps were compared"
std::string text_of(const JudgedLosses& losses);

}  // namespace stepgate
