// A steady clock of the measured CPUs: governor, energy preference and limits of their cpufreq policies. Only policies
// of a measured CPU or of a hardware thread beside one are touched.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "governor": scaling_governor "performance" if the driver offers it.
KnobPlan plan_governor(const HostFiles& files, const HostWishes& wishes);

/// Knob "energy_preference": energy_performance_preference "performance". Set after the governor and restored after it:
/// with governor performance intel_pstate and amd_pstate refuse any other preference (EBUSY).
KnobPlan plan_energy_preference(const HostFiles& files, const HostWishes& wishes);

/// Knob "frequency_limits", in kHz: raises scaling_min_freq to scaling_max_freq, so that one clock is left. If
/// turbo goes off and the clock without it is known, both become that clock, unless the maximum was lower already. The
/// minimum is written first and restored last. The maximum is never raised, so the two never cross.
KnobPlan plan_frequency_limits(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
