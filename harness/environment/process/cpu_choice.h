// The CPUs of a measured process, those of everything else, and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "environment/cpus/cpu_list.h"

namespace stepgate {

struct CpuRequest {
  std::int64_t cores = 1;               ///< how many the measured process needs: one per thread
  CpuList allowed;                      ///< as allowed_cpus() says
  std::string gpu_pci_bus_id;           ///< "" or as the driver writes it, "00000000:3B:00.0" included
  std::filesystem::path sysroot = "/";  ///< where sys/bus/pci is looked up
  std::string synthetic_topology;       ///< hwloc's notation, for tests; "" reads this machine's
};

struct CpuChoice {
  CpuList measured;      ///< one hardware thread per core, nothing else should run there
  CpuList siblings;      ///< the other hardware threads of the measured cores: left idle
  CpuList housekeeping;  ///< for the launcher and everything else; empty where no core is left over
  bool degraded = false;
  std::string reason;  ///< one sentence: how this was decided, and what could not be had
};

/// Chooses from `allowed`: one hardware thread per core, cores near the GPU where a bus id is given and its locality is
/// known, not the core of the lowest CPU (interrupts and other people's work gather there), one core left over for
/// housekeeping unless all are needed. Fewer cores than asked for is a degraded choice, not an error.
/// Throws Error(measure) where `allowed` is empty or the topology cannot be read.
CpuChoice choose_cpus(const CpuRequest& request);

}  // namespace stepgate
