#include "environment/gpu/gpu_cpus.h"

#include <fmt/format.h>

#include "environment/gpu/pci_bus_id.h"

namespace stepgate {
namespace {

struct Opinion {
  std::optional<CpuList> cpus;
  std::string doubt;  ///< why there are none
};

Opinion without_the_whole_machine(const CpuList& cpus, const CpuList& online) {
  const CpuList near = online.empty() ? cpus : intersection(cpus, online);
  if (near.empty()) return {std::nullopt, "names none that is online"};
  if (near == online) return {std::nullopt, "names every CPU"};
  return {near, ""};
}

Opinion of_kernel(const HostFiles& files, const std::string& bus_id, const CpuList& online) {
  const std::string device = "/sys/bus/pci/devices/" + bus_id;
  if (files.read(device + "/numa_node") == "-1") return {std::nullopt, "knows no NUMA node of it (-1)"};
  const auto text = files.read(device + "/local_cpulist");
  const auto cpus = text ? cpu_list_from_text(*text) : std::nullopt;
  if (!cpus) return {std::nullopt, fmt::format("has no list in {}", device)};
  return without_the_whole_machine(*cpus, online);
}

Opinion of_driver(GpuDriver& driver, const std::string& uuid, const CpuList& online) {
  const GpuAnswer<CpuList> answer = driver.near_cpus(uuid);
  if (!answer.value) return {std::nullopt, fmt::format("does not say ({})", answer.reason)};
  return without_the_whole_machine(*answer.value, online);
}

std::string sentence(const Opinion& kernel, const Opinion& driver, const std::string& bus_id) {
  if (!kernel.cpus && !driver.cpus) {
    return fmt::format("the CPUs near GPU {} are unknown: the kernel {}, the driver {}", bus_id, kernel.doubt,
                       driver.doubt);
  }
  if (!kernel.cpus) {
    return fmt::format("near GPU {} is CPU {} as the driver says; unknown to the kernel, which {}", bus_id,
                       text_of(*driver.cpus), kernel.doubt);
  }
  if (!driver.cpus) {
    return fmt::format("near GPU {} is CPU {} as the kernel says; unknown to the driver, which {}", bus_id,
                       text_of(*kernel.cpus), driver.doubt);
  }
  if (*kernel.cpus == *driver.cpus) {
    return fmt::format("near GPU {} is CPU {}, as the kernel and the driver say", bus_id, text_of(*kernel.cpus));
  }
  return fmt::format("the kernel and the driver disagree: near GPU {} is CPU {} or {}", bus_id, text_of(*kernel.cpus),
                     text_of(*driver.cpus));
}

}  // namespace

GpuCpus cpus_near_gpu(GpuDriver& driver, const Gpu& gpu, const HostFiles& files) {
  const std::string bus_id = kernel_pci_bus_id(gpu.pci_bus_id);
  const auto text = files.read("/sys/devices/system/cpu/online");
  const CpuList online = (text ? cpu_list_from_text(*text) : std::nullopt).value_or(CpuList{});
  const Opinion kernel = of_kernel(files, bus_id, online);
  const Opinion own = of_driver(driver, gpu.uuid, online);
  GpuCpus cpus;
  cpus.by_kernel = kernel.cpus;
  cpus.by_driver = own.cpus;
  cpus.disagree = kernel.cpus && own.cpus && *kernel.cpus != *own.cpus;
  cpus.reason = sentence(kernel, own, bus_id);
  return cpus;
}

}  // namespace stepgate
