// What `stepgate doctor` found: the host kind, the use of each CPU, each knob with its remedy, the available evidence.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/host/busy_process.h"
#include "core/host/host_kind.h"
#include "core/host/knob.h"
#include "core/record/fingerprint.h"

namespace stepgate {

/// A setting as it would apply to a run started now.
struct EffectiveSetting {
  std::string name;
  std::string value;
  std::string source;  ///< "default", "policy", or the flag, variable or file that set it

  bool operator==(const EffectiveSetting&) const = default;
};

/// The doctor changes nothing. Sets of CPUs are in the kernel's list format, "" if empty.
struct DoctorReport {
  FoundHostKind place;
  Fingerprint host;
  std::string measured_cpus;  ///< for measured processes
  std::string siblings;       ///< hardware threads beside them, left idle
  std::string housekeeping;   ///< for the launcher and all other processes
  std::string cpu_reason;     ///< one sentence: how they were chosen, and what was not available
  std::vector<KnobReport> knobs;
  std::vector<EffectiveSetting> settings;
  std::vector<std::string> watched;              ///< evidence keys that can be read here
  std::map<std::string, std::string> unwatched;  ///< evidence key -> why it cannot
  std::vector<std::string> warnings;             ///< one sentence each, besides those of the host kind
  bool stale_journal = false;                    ///< a killed run left host knobs changed
  double looked_s = 0;                           ///< how long other processes were looked at; 0: not at all
  std::vector<BusyProcess> busy = {};            ///< what used the CPU meanwhile; on the terminal only, never in a file

  bool operator==(const DoctorReport&) const = default;
};

}  // namespace stepgate
