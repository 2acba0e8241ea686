// Clocks above the sustained one, which last as long as power and temperature allow: switched off.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "turbo": intel_pstate/no_turbo set to 1, else cpufreq/boost to 0, both for the whole machine, else
/// policyN/boost to 0 for each policy of a measured CPU or of a hardware thread beside one.
///
/// While the global boost is off, writing a policy's own is refused (EINVAL), and switching it on again sets all of
/// them to 1. So the global one is used where all policies agree, which makes its original theirs; where they differ,
/// the policies' own are switched and the global one stays on. A maximum that somebody lowered would be lost with most
/// drivers when boost comes back: there boost is left alone (`unsupported`).
KnobPlan plan_turbo(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
