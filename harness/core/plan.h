// How one case is run: step counts, process counts, pins. The plan is fixed before the measurement begins.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/device.h"
#include "core/pass.h"

namespace stepgate {

/// The parameter of a case that gives the requests in a second of its open loop. It is for the harness: no workload
/// gets it.
inline constexpr const char* request_rate_param = "request_rate_per_s";
/// Own choices: a request in a quarter of an hour, and one each nanosecond, which is what the clock tells apart.
inline constexpr double least_request_rate_per_s = 0.001;
inline constexpr double most_request_rate_per_s = 1e9;

/// How the launcher measures one case.
struct Plan {
  std::int64_t timed_replicates = 5;    ///< fresh processes of group timed (and reference)
  std::int64_t exact_replicates = 2;    ///< two, so that a difference between processes shows
  std::int64_t max_retries = 2;         ///< most retries of a tainted replicate
  std::uint64_t seed = 20260101;        ///< equal for all replicates: same data, same initial weights
  std::int64_t threads = 1;             ///< intra-op threads of group timed; group exact is pinned to 1
  double timeout_s = 300;               ///< per replicate
  std::string malloc_policy = "tuned";  ///< "tuned" sets both glibc thresholds, "system" sets neither
  Device device = Device::cpu;
  std::map<std::string, std::int64_t> steps = {};  ///< step counts by name; they override those of the case
  std::int64_t cpus = 0;  ///< CPUs for group timed (loader workers, ranks); 0: as many as threads
  std::map<std::string, std::string> params = {};  ///< override those of the case (sweep, --request-rate)

  bool operator==(const Plan&) const = default;
};

}  // namespace stepgate
