// The kernel's cpufreq policies: groups of CPUs that share one clock, each a folder of switches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/host/knob.h"
#include "environment/cpus/cpu_list.h"
#include "environment/host_files/host_files.h"

namespace stepgate {

struct ClockPolicy {
  std::string folder;  ///< "/sys/devices/system/cpu/cpufreq/policy4"
  CpuList cpus;
};

/// All policies of the machine, by number. Empty if the machine cannot set its clock, as most virtual machines.
std::vector<ClockPolicy> clock_policies(const HostFiles& files);

/// The policies of `cpus`.
std::vector<ClockPolicy> clock_policies_of(const HostFiles& files, const CpuList& cpus);

/// kHz in one of a policy's files. Absent if the file is missing or holds no number.
std::optional<std::int64_t> khz_in(const HostFiles& files, const ClockPolicy& policy, const std::string& file);

/// The highest clock in kHz that the policy's CPUs keep without turbo: base_frequency (Intel), else the highest of
/// scaling_available_frequencies, which leaves boosted ones out, else the nominal clock of the firmware (AMD). Absent
/// if none of them is known.
std::optional<std::int64_t> clock_without_turbo_khz(const HostFiles& files, const ClockPolicy& policy);

/// `knob` as unsupported for lack of a policy, with the likely cause.
KnobReport no_clock_control(const HostFiles& files, const std::string& knob);

}  // namespace stepgate
