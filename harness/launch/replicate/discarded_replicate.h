// What a person is told while replicates are discarded. Names of processes are private: nothing of this is written to a
// file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/host/busy_process.h"
#include "core/plan.h"
#include "environment/evidence/busy_processes.h"

namespace stepgate {

struct DiscardedReplicate {
  std::string case_name;
  Group group = Group::timed;
  std::int64_t index = 0;
  std::int64_t attempt = 0;
  std::int64_t ended_unix_s = 0;
  std::vector<std::string> reasons;  ///< evidence key, value and limit, and what it means
  std::vector<BusyProcess> busiest;  ///< others that used the CPU meanwhile, as far as they are visible
};

/// The rest of a group was not started: nearly all of its processes were discarded (is_hopeless()).
struct GivenUpGroup {
  std::string case_name;
  Group group = Group::timed;
  std::int64_t measured = 0;
  std::int64_t clean = 0;
};

/// Reads the CPU time of all processes at its construction and again when it is asked, on the CPU of the launcher.
class DisturbanceWatch {
 public:
  /// Without `wanted` it reads nothing.
  explicit DisturbanceWatch(bool wanted);

  /// `cpus`: the measured CPUs and the hardware threads beside them.
  std::vector<BusyProcess> busiest(CpuList cpus) const;

 private:
  bool wanted_;
  double start_s_ = 0;
  ProcessTimes before_;
};

}  // namespace stepgate
