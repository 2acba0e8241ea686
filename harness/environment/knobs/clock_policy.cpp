#include "environment/knobs/clock_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "environment/knobs/settled_knob.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

const std::string policies_folder = "/sys/devices/system/cpu/cpufreq";
constexpr std::string_view policy_name = "policy";

/// "0 1 2": these files separate by blanks where others have "0-2".
CpuList cpus_in(std::string_view text) {
  CpuList cpus;
  for (const std::string_view word : words_of(text)) {
    const auto some = cpu_list_from_text(word).value_or(CpuList{});
    cpus.insert(cpus.end(), some.begin(), some.end());
  }
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

bool is_virtual_machine(const HostFiles& files) {
  const auto text = files.read("/proc/cpuinfo");
  const auto flags = text ? value_after(*text, "flags") : std::nullopt;
  if (!flags) return false;
  const auto words = words_of(*flags);
  return std::find(words.begin(), words.end(), "hypervisor") != words.end();
}

}  // namespace

std::vector<ClockPolicy> clock_policies(const HostFiles& files) {
  std::vector<std::pair<std::int64_t, ClockPolicy>> numbered;
  for (const std::string& name : files.names_in(policies_folder)) {
    if (!name.starts_with(policy_name)) continue;
    const auto number = integer_from(std::string_view(name).substr(policy_name.size()));
    if (!number) continue;
    const std::string folder = fmt::format("{}/{}", policies_folder, name);
    auto cpus = files.read(folder + "/affected_cpus");
    if (!cpus) cpus = files.read(folder + "/related_cpus");
    numbered.push_back({*number, {folder, cpus_in(cpus.value_or(""))}});
  }
  std::sort(numbered.begin(), numbered.end(),
            [](const auto& left, const auto& right) { return left.first < right.first; });
  std::vector<ClockPolicy> policies;
  for (auto& [number, policy] : numbered) policies.push_back(std::move(policy));
  return policies;
}

std::vector<ClockPolicy> clock_policies_of(const HostFiles& files, const CpuList& cpus) {
  std::vector<ClockPolicy> policies = clock_policies(files);
  std::erase_if(policies, [&](const ClockPolicy& policy) { return intersection(policy.cpus, cpus).empty(); });
  return policies;
}

std::optional<std::int64_t> khz_in(const HostFiles& files, const ClockPolicy& policy, const std::string& file) {
  const auto text = files.read(fmt::format("{}/{}", policy.folder, file));
  return text ? integer_from(*text) : std::nullopt;
}

std::optional<std::int64_t> clock_without_turbo_khz(const HostFiles& files, const ClockPolicy& policy) {
  if (const auto base = khz_in(files, policy, "base_frequency")) return base;
  std::optional<std::int64_t> highest;
  const std::string listed = files.read(policy.folder + "/scaling_available_frequencies").value_or("");
  for (const std::string_view word : words_of(listed)) {
    const auto khz = integer_from(word);
    if (khz && (!highest || *khz > *highest)) highest = khz;
  }
  if (highest || policy.cpus.empty()) return highest;
  const auto text =
      files.read(fmt::format("/sys/devices/system/cpu/cpu{}/acpi_cppc/nominal_freq", policy.cpus.front()));
  const auto mhz = text ? integer_from(*text) : std::nullopt;
  if (!mhz || *mhz <= 0) return std::nullopt;
  return *mhz * 1000;
}

KnobReport no_clock_control(const HostFiles& files, const std::string& knob) {
  if (is_virtual_machine(files)) {
    return unsupported_knob(knob, "a virtual machine does not set its clock; the machine below it does",
                            "set the clock on the machine that runs this virtual machine");
  }
  return unsupported_knob(knob,
                          "no clock driver covers these CPUs: /sys/devices/system/cpu/cpufreq has no policy of them",
                          "load a clock driver (modprobe acpi-cpufreq), or allow clock control in the firmware");
}

}  // namespace stepgate
