#include "environment/process/cpu_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.h"
#include "environment/cpus/core_topology.h"
#include "environment/gpu/pci_bus_id.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

using Cores = std::vector<CpuList>;

/// Cores reduced to the CPUs that may be used; cores without any are gone.
Cores within(const Cores& cores, const CpuList& usable) {
  Cores kept;
  for (const CpuList& core : cores) {
    CpuList cpus = intersection(core, usable);
    if (!cpus.empty()) kept.push_back(std::move(cpus));
  }
  return kept;
}

struct Locality {
  Cores cores;
  bool degraded = false;
  std::string where;
};

/// The allowed cores near the GPU. A list that names every CPU of the machine means "unknown", not "near all".
Locality near_gpu(const CpuRequest& request, const Cores& machine, const Cores& allowed) {
  if (request.gpu_pci_bus_id.empty()) return {allowed, false, "of the whole machine"};
  const std::string id = kernel_pci_bus_id(request.gpu_pci_bus_id);
  const auto text = read_pseudo_file(request.sysroot / "sys/bus/pci/devices" / id / "local_cpulist");
  const auto local = text ? cpu_list_from_text(*text) : std::nullopt;
  if (!local || local->empty()) {
    return {allowed, true, fmt::format("of the whole machine, since the CPUs near GPU {} are not known", id)};
  }
  if (within(machine, *local) == machine)
    return {allowed, false, fmt::format("of the whole machine, all near GPU {}", id)};
  Cores near = within(allowed, *local);
  if (near.empty()) return {allowed, true, fmt::format("far from GPU {}, since none near it is allowed", id)};
  return {std::move(near), false, fmt::format("near GPU {}", id)};
}

/// The lowest core comes last: interrupts and other people's work gather there.
Cores in_order_of_preference(Cores candidates, const CpuList& lowest) {
  std::stable_partition(candidates.begin(), candidates.end(), [&](const CpuList& core) { return core != lowest; });
  return candidates;
}

/// The first core of `allowed` that is not measured, empty where there is none.
CpuList left_over(const Cores& allowed, const Cores& measured) {
  const auto free = std::find_if(allowed.begin(), allowed.end(), [&](const CpuList& core) {
    return std::find(measured.begin(), measured.end(), core) == measured.end();
  });
  return free == allowed.end() ? CpuList{} : *free;
}

std::string explanation(const CpuChoice& choice, const CpuRequest& request, const std::string& where) {
  std::string text = fmt::format("measuring on CPU {}, one per core, {}", text_of(choice.measured), where);
  const auto got = static_cast<std::int64_t>(choice.measured.size());
  if (got < request.cores) text += fmt::format("; {} cores were asked for and {} can be had", request.cores, got);
  text += choice.housekeeping.empty() ? "; no core is left over for housekeeping"
                                      : fmt::format("; housekeeping on {}", text_of(choice.housekeeping));
  return text;
}

}  // namespace

CpuChoice choose_cpus(const CpuRequest& request) {
  const Cores machine = cores_of_machine(request.synthetic_topology);
  const Cores allowed = within(machine, request.allowed);
  if (allowed.empty()) {
    throw Error(ErrorKind::measure,
                fmt::format("none of the allowed CPUs ({}) is part of this machine", text_of(request.allowed)),
                "check the CPU set of the container or of taskset");
  }
  const Locality locality = near_gpu(request, machine, allowed);
  Cores chosen = in_order_of_preference(locality.cores, allowed.front());
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(1, request.cores));
  if (chosen.size() > wanted) chosen.resize(wanted);

  CpuChoice choice;
  for (const CpuList& core : chosen) {
    choice.measured.push_back(core.front());
    choice.siblings.insert(choice.siblings.end(), core.begin() + 1, core.end());
  }
  std::sort(choice.measured.begin(), choice.measured.end());
  std::sort(choice.siblings.begin(), choice.siblings.end());
  choice.housekeeping = left_over(allowed, chosen);
  choice.degraded = locality.degraded || chosen.size() < wanted || choice.housekeeping.empty();
  choice.reason = explanation(choice, request, locality.where);
  return choice;
}

}  // namespace stepgate
