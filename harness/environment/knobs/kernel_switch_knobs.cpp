#include "environment/knobs/kernel_switch_knobs.h"

#include <string>
#include <utility>
#include <vector>

#include "environment/knobs/settled_knob.h"

namespace stepgate {
namespace {

/// `knob` is also the name of its file.
KnobPlan plan_switch_off(const HostFiles& files, const std::string& knob, std::string why_absent) {
  const std::string file = "/proc/sys/kernel/" + knob;
  const auto original = files.read(file);
  if (!original) return settled_plan(unsupported_knob(knob, std::move(why_absent)));
  std::vector<KnobChange> changes;
  if (*original != "0") changes.push_back({knob, ChangeKind::file, file, *original, "0"});
  return changes_or_settled(files, std::move(changes), already_knob(knob, "0", "it is off"));
}

}  // namespace

KnobPlan plan_numa_balancing(const HostFiles& files, const HostWishes&) {
  return plan_switch_off(files, "numa_balancing", "this kernel does not move memory between nodes by itself");
}

KnobPlan plan_nmi_watchdog(const HostFiles& files, const HostWishes&) {
  return plan_switch_off(files, "nmi_watchdog", "this kernel has no such watchdog");
}

}  // namespace stepgate
