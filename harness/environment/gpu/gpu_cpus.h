// Which CPUs are near a GPU: what the kernel says, what the driver says, and whether they agree.
#pragma once

#include <optional>
#include <string>

#include "environment/cpus/cpu_list.h"
#include "environment/gpu/gpu_driver.h"
#include "environment/host_files/host_files.h"

namespace stepgate {

/// A list that names every CPU of the machine means that nothing is known, and is absent here.
struct GpuCpus {
  std::optional<CpuList> by_kernel;  ///< local_cpulist of the PCI device, absent too where its numa_node is -1
  std::optional<CpuList> by_driver;
  /// Both give a list and the lists differ. Neither is trusted: if the GPU is connected to the CPU by another link than
  /// PCI, as on Grace Hopper, PCI's locality is wrong.
  bool disagree = false;
  std::string reason;  ///< one sentence
};

/// Reads /sys/bus/pci/devices/<id>/{numa_node,local_cpulist}, /sys/devices/system/cpu/online, and asks the driver.
/// Throws nothing.
GpuCpus cpus_near_gpu(GpuDriver& driver, const Gpu& gpu, const HostFiles& files);

}  // namespace stepgate
