#include "environment/cpus/core_topology.h"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <memory>

#include "core/error.h"

namespace stepgate {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::measure, fmt::format("hwloc cannot read the topology of this machine: {}", what),
              "compare with `lstopo-no-graphics`; unset HWLOC_* variables");
}

/// The same as HWLOC_COMPONENTS=linux,stop, without changing the environment. The x86 component moves this thread over
/// all CPUs; the others wake device drivers.
void keep_to_the_kernels_view(hwloc_topology_t topology) {
  for (const char* name : {"x86", "pci", "cuda", "nvml", "opencl", "gl", "rsmi", "levelzero"}) {
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, name);
  }
}

Topology load(const std::string& synthetic) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) fail("initialisation failed");
  Topology topology(raw);
  if (synthetic.empty()) {
    keep_to_the_kernels_view(raw);
  } else if (hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0) {
    fail(fmt::format("'{}' is not a topology", synthetic));
  }
  if (hwloc_topology_load(raw) != 0) fail("loading failed");
  return topology;
}

CpuList cpus_in(hwloc_const_cpuset_t set) {
  CpuList cpus;
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

std::vector<CpuList> cores_of_machine(const std::string& synthetic) {
  const Topology topology = load(synthetic);
  // Some virtual machines show no cores; each hardware thread counts as one there.
  const int cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE);
  const hwloc_obj_type_t type = cores > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<CpuList> found;
  for (int index = 0; index < hwloc_get_nbobjs_by_type(topology.get(), type); ++index) {
    const hwloc_obj_t object = hwloc_get_obj_by_type(topology.get(), type, static_cast<unsigned>(index));
    CpuList cpus = cpus_in(object->cpuset);
    if (!cpus.empty()) found.push_back(std::move(cpus));
  }
  if (found.empty()) fail("it has no CPUs");
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace stepgate
