#include "environment/knobs/turbo_knob.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "environment/knobs/clock_policy.h"
#include "environment/knobs/occupied_cpus.h"
#include "environment/knobs/settled_knob.h"

namespace stepgate {
namespace {

const std::string turbo_name = "turbo";
const std::string intel_switch = "/sys/devices/system/cpu/intel_pstate/no_turbo";
const std::string global_switch = "/sys/devices/system/cpu/cpufreq/boost";

/// Restore rank of the policies' own switches: while the global one is off, the kernel refuses to set them.
constexpr int after_global_switch = 1;

/// Changes of the switches that are not at `off` yet.
class Switches {
 public:
  explicit Switches(std::string off) : off_(std::move(off)) {}

  void add(const std::string& file, const std::string& original, int rank = 0) {
    if (original != off_) changes_.push_back({turbo_name, ChangeKind::file, file, original, off_, rank});
  }
  KnobPlan plan(const HostFiles& files) && {
    return changes_or_settled(files, std::move(changes_), already_knob(turbo_name, off_, "turbo is off"));
  }

 private:
  std::string off_;
  std::vector<KnobChange> changes_;
};

KnobPlan one_switch(const HostFiles& files, const std::string& file, const std::string& original,
                    const std::string& off) {
  Switches switches(off);
  switches.add(file, original);
  return std::move(switches).plan(files);
}

/// True if a policy's own switch is off while the global one is on.
bool policies_differ(const HostFiles& files) {
  const auto policies = clock_policies(files);
  return std::any_of(policies.begin(), policies.end(),
                     [&](const ClockPolicy& policy) { return files.read(policy.folder + "/boost") == "0"; });
}

/// A maximum that somebody lowered and that one of these switches would raise: drivers that boost in software set it to
/// the highest clock when boost comes back (cpufreq_boost_set_sw). acpi-cpufreq only turns the processor's own switch.
std::optional<KnobReport> limit_at_stake(const HostFiles& files, const std::vector<ClockPolicy>& switched) {
  for (const ClockPolicy& policy : switched) {
    const auto limit = khz_in(files, policy, "scaling_max_freq");
    const auto highest = khz_in(files, policy, "cpuinfo_max_freq");
    if (!limit || !highest || *limit >= *highest) continue;
    if (files.read(policy.folder + "/scaling_driver") == "acpi-cpufreq") continue;
    if (files.read(policy.folder + "/boost") == "0")
      continue;  // boost stays off, and the limit is lower for that reason
    return unsupported_knob(
        turbo_name,
        fmt::format("switching boost would lift the limit of {} kHz that {} has now", *limit, policy.folder),
        "raise scaling_max_freq to cpuinfo_max_freq, or switch boost off for good");
  }
  return std::nullopt;
}

}  // namespace

KnobPlan plan_turbo(const HostFiles& files, const HostWishes& wishes) {
  if (const auto no_turbo = files.read(intel_switch)) return one_switch(files, intel_switch, *no_turbo, "1");
  const auto global = files.read(global_switch);
  if (global == "0") return one_switch(files, global_switch, *global, "0");
  const bool all_at_once = global && !policies_differ(files);
  auto policies = all_at_once ? clock_policies(files) : clock_policies_of(files, occupied_cpus(wishes));
  if (policies.empty()) return settled_plan(no_clock_control(files, turbo_name));
  if (!all_at_once) {
    std::erase_if(policies, [&](const ClockPolicy& policy) { return !files.read(policy.folder + "/boost"); });
  }
  if (policies.empty()) {
    return settled_plan(unsupported_knob(turbo_name, "the clock driver has no switch for turbo",
                                         "switch turbo (core performance boost) off in the firmware"));
  }
  if (auto report = limit_at_stake(files, policies)) return settled_plan(*std::move(report));
  if (all_at_once) return one_switch(files, global_switch, *global, "0");
  Switches switches("0");
  for (const ClockPolicy& policy : policies) {
    const std::string file = policy.folder + "/boost";
    switches.add(file, files.read(file).value_or("0"), after_global_switch);
  }
  return std::move(switches).plan(files);
}

}  // namespace stepgate
