// The CPUs that a run takes for itself.
#pragma once

#include <algorithm>
#include <iterator>

#include "environment/cpus/cpu_list.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// The CPUs of measured processes and the hardware threads beside them, which share their cores.
inline CpuList occupied_cpus(const HostWishes& wishes) {
  CpuList cpus;
  std::set_union(wishes.measured.begin(), wishes.measured.end(), wishes.siblings.begin(), wishes.siblings.end(),
                 std::back_inserter(cpus));
  return cpus;
}

}  // namespace stepgate
