// Switches turbo off: clocks above the sustained one, which last as long as power and temperature allow.
#pragma once

#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// Knob "turbo": intel_pstate/no_turbo set to 1, else cpufreq/boost to 0, both for the whole machine, else
/// policyN/boost to 0 for each policy of a measured CPU or of a hardware thread beside one.
///
/// While the global boost is off, the kernel refuses to write a policy's own (EINVAL). Switching it on again sets all
/// of them to 1. So the global one is used only if all policies agree, since its original is then theirs too. If they
/// differ, the policies' own are switched and the global one stays on. With most drivers a maximum that somebody
/// lowered is lost when boost comes back: then boost is left alone (`unsupported`).
KnobPlan plan_turbo(const HostFiles& files, const HostWishes& wishes);

}  // namespace stepgate
