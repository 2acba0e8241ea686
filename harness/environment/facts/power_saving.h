// Whether the machine slows itself down to save power.
#pragma once

#include <string>
#include <vector>

#include "environment/host_files/host_files.h"

namespace stepgate {

/// Names of the batteries that power the machine, "BAT0"; those of mice and keyboards (scope "Device") are not among
/// them. Throws nothing.
std::vector<std::string> batteries(const HostFiles& files);

/// One sentence each, with what to do: battery power, a power-saving platform profile, energy preference or governor.
/// The governor "powersave" of intel_pstate and amd-pstate-epp is their normal dynamic one: no warning.
/// Throws nothing.
std::vector<std::string> power_warnings(const HostFiles& files);

}  // namespace stepgate
