#include "environment/evidence/evidence_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace stepgate {
namespace {

// The default limit of steal is 1 %: from 100 ticks on, a single tick cannot exceed it.
constexpr std::int64_t fewest_ticks = 100;

void add_difference(Evidence& evidence, const std::string& key, const std::optional<std::int64_t>& before,
                    const std::optional<std::int64_t>& after) {
  if (before && after) evidence.values[key] = static_cast<double>(*after - *before);
}

void add_tick_fractions(Evidence& evidence, const EvidenceInput& input) {
  if (!input.before.measured || !input.after.measured) return;
  const CpuTicks& before = *input.before.measured;
  const CpuTicks& after = *input.after.measured;
  const std::int64_t total = after.total - before.total;
  if (total < fewest_ticks) {
    const std::string why = fmt::format("the window of {} clock ticks is too short to tell", total);
    evidence.absent["steal_fraction"] = why;
    evidence.absent["foreign_busy_fraction"] = why;
    evidence.absent["interrupt_fraction"] = why;
    return;
  }
  evidence.values["interrupt_fraction"] =
      static_cast<double>(after.interrupt - before.interrupt) / static_cast<double>(total);
  std::int64_t busy = after.busy - before.busy;
  if (input.before.siblings && input.after.siblings) busy += input.after.siblings->busy - input.before.siblings->busy;
  const double own = input.child.cpu_s * input.ticks_per_second;
  evidence.values["steal_fraction"] = static_cast<double>(after.steal - before.steal) / static_cast<double>(total);
  if (input.shares_cpus) {
    evidence.absent["foreign_busy_fraction"] = "the two processes of a pair share these CPUs";
    return;
  }
  if (input.measured.empty()) {
    evidence.absent["foreign_busy_fraction"] = "the process is not pinned: others on any CPU would count";
    return;
  }
  evidence.values["foreign_busy_fraction"] =
      std::max(0.0, static_cast<double>(busy) - own) / static_cast<double>(total);
}

void add_child(Evidence& evidence, const ChildUsage& child, const CpuList& measured) {
  evidence.values["wall_s"] = child.wall_s;
  evidence.values["involuntary_switches"] = static_cast<double>(child.involuntary_switches);
  evidence.values["voluntary_switches"] = static_cast<double>(child.voluntary_switches);
  evidence.values["minor_faults"] = static_cast<double>(child.minor_faults);
  evidence.values["major_faults"] = static_cast<double>(child.major_faults);
  if (child.exited.runqueue_wait_ns && child.wall_s > 0) {
    evidence.values["runqueue_wait_fraction"] =
        static_cast<double>(*child.exited.runqueue_wait_ns) * 1e-9 / child.wall_s;
  } else {
    evidence.absent["runqueue_wait_fraction"] = "the kernel keeps no scheduler statistics of the process";
  }
  if (measured.empty()) {
    evidence.absent["affinity_changed"] = "the process could not be pinned";
  } else if (!child.exited.affinity) {
    evidence.absent["affinity_changed"] = "the CPUs of the finished process cannot be read";
  } else {
    // Narrower is the workload's own business: it binds itself.
    evidence.values["affinity_changed"] = difference(*child.exited.affinity, measured).empty() ? 0 : 1;
  }
}

}  // namespace

Evidence evidence_of(const EvidenceInput& input) {
  Evidence evidence;
  evidence.absent = input.before.absent;
  evidence.absent.insert(input.after.absent.begin(), input.after.absent.end());
  add_tick_fractions(evidence, input);
  add_difference(evidence, "quota_throttled_periods", input.before.throttled_periods, input.after.throttled_periods);
  add_difference(evidence, "swap_pages", input.before.swap_pages, input.after.swap_pages);
  add_difference(evidence, "numa_pages_migrated", input.before.numa_pages_migrated, input.after.numa_pages_migrated);
  if (input.before.memory_stall_us && input.after.memory_stall_us && input.child.wall_s > 0) {
    evidence.values["memory_stall_fraction"] =
        static_cast<double>(*input.after.memory_stall_us - *input.before.memory_stall_us) * 1e-6 / input.child.wall_s;
  }
  add_difference(evidence, "cpu_throttle_events", input.before.cpu_throttle_events, input.after.cpu_throttle_events);
  if (input.before.load_average) evidence.values["load_average"] = *input.before.load_average;
  add_child(evidence, input.child, input.measured);
  for (const auto& [key, value] : evidence.values) evidence.absent.erase(key);
  return evidence;
}

void add_runqueue_time(const RunQueueTime& time, Evidence& evidence) {
  const char* key = "runqueue_wait_fraction";
  if (time.more_threads_than_cpus) {
    evidence.values.erase(key);
    evidence.absent[key] = "more threads than measured CPUs: they wait for each other";
    return;
  }
  const auto wanted = static_cast<double>(time.run_ns + time.wait_ns);
  if (wanted <= 0) return;
  evidence.values[key] = static_cast<double>(time.wait_ns) / wanted;
  evidence.absent.erase(key);
}

}  // namespace stepgate
