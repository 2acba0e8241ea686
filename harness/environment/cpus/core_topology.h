// The machine's cores as hwloc sees them.
#pragma once

#include <string>
#include <vector>

#include "environment/cpus/cpu_list.h"

namespace stepgate {

/// The CPUs (hardware threads) of each core, cores in the order of their lowest CPU. With `synthetic` the topology
/// that hwloc builds from that description, else this machine's. Throws Error(measure) where hwloc fails.
std::vector<CpuList> cores_of_machine(const std::string& synthetic);

}  // namespace stepgate
