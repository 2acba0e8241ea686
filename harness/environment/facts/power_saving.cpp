#include "environment/facts/power_saving.h"

#include <algorithm>

namespace stepgate {
namespace {

const std::string supplies = "/sys/class/power_supply";
const std::string saving_policies = "/sys/devices/system/cpu/cpufreq";

std::string below(const std::string& folder, const std::string& name) { return folder + "/" + name; }

std::string fact(const HostFiles& files, const std::string& folder, const char* name) {
  return files.read(below(folder, name)).value_or("");
}

/// Whether some source from outside feeds the machine; a dock or a USB-C charger shows as "USB".
bool has_external_power(const HostFiles& files) {
  const auto names = files.names_in(supplies);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::string type = fact(files, below(supplies, name), "type");
    return (type == "Mains" || type.starts_with("USB")) && fact(files, below(supplies, name), "online") == "1";
  });
}

/// Some firmware reports no status while the battery discharges. Then a mains adapter that is off shows it.
bool is_on_battery(const HostFiles& files) {
  const auto found = batteries(files);
  if (found.empty() || has_external_power(files)) return false;
  const bool discharging = std::any_of(found.begin(), found.end(), [&](const std::string& name) {
    return fact(files, below(supplies, name), "status") == "Discharging";
  });
  const auto names = files.names_in(supplies);
  return discharging || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return fact(files, below(supplies, name), "type") == "Mains";
         });
}

bool any_policy(const HostFiles& files, bool (*saves)(const HostFiles&, const std::string&)) {
  const auto names = files.names_in(saving_policies);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.starts_with("policy") && saves(files, below(saving_policies, name));
  });
}

bool prefers_power(const HostFiles& files, const std::string& policy) {
  return fact(files, policy, "energy_performance_preference") == "power";
}

bool holds_clock_down(const HostFiles& files, const std::string& policy) {
  const std::string driver = fact(files, policy, "scaling_driver");
  const bool dynamic = driver == "intel_pstate" || driver == "amd-pstate-epp";
  return !dynamic && fact(files, policy, "scaling_governor") == "powersave";
}

}  // namespace

std::vector<std::string> batteries(const HostFiles& files) {
  std::vector<std::string> found;
  for (const std::string& name : files.names_in(supplies)) {
    const std::string folder = below(supplies, name);
    if (fact(files, folder, "type") == "Battery" && fact(files, folder, "scope") != "Device") found.push_back(name);
  }
  return found;
}

std::vector<std::string> power_warnings(const HostFiles& files) {
  std::vector<std::string> warnings;
  if (is_on_battery(files)) warnings.emplace_back("runs on battery power, which holds clocks down: plug it in");
  const std::string profile = files.read("/sys/firmware/acpi/platform_profile").value_or("");
  if (profile == "low-power" || profile == "quiet") {
    warnings.push_back("the platform profile is " + profile + ": powerprofilesctl set performance");
  }
  if (any_policy(files, prefers_power)) {
    warnings.emplace_back("the CPU's energy preference is power, its slowest");
  }
  if (any_policy(files, holds_clock_down)) {
    warnings.emplace_back("the governor powersave holds the CPU at its lowest clock");
  }
  return warnings;
}

}  // namespace stepgate
