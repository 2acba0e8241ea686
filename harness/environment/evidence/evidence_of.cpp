#include "environment/evidence/evidence_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace stepgate {
namespace {

// The default limit of steal is 1 %: from 100 ticks on, a single tick cannot exceed it.
constexpr std::int64_t fewest_ticks = 100;

void add_counters(Evidence& evidence, const EvidenceInput& input) {
  for (const auto& [key, after] : input.after.counts) {
    const auto before = input.before.counts.find(key);
    if (before != input.before.counts.end()) evidence.values[key] = static_cast<double>(after - before->second);
  }
  for (const auto& [key, after] : input.after.times_us) {
    const auto before = input.before.times_us.find(key);
    if (before == input.before.times_us.end() || input.child.wall_s <= 0) continue;
    evidence.values[key] = static_cast<double>(after - before->second) * 1e-6 / input.child.wall_s;
  }
  for (const auto& [key, level] : input.before.levels) evidence.values[key] = level;
}

void add_tick_fractions(Evidence& evidence, const EvidenceInput& input) {
  if (!input.before.measured || !input.after.measured) return;
  const CpuTicks& before = *input.before.measured;
  const CpuTicks& after = *input.after.measured;
  const std::int64_t total = after.total - before.total;
  if (total < fewest_ticks) {
    const std::string why = fmt::format("the window of {} clock ticks is too short to tell", total);
    evidence.absent[EvidenceKey::steal_fraction] = why;
    evidence.absent[EvidenceKey::foreign_busy_fraction] = why;
    evidence.absent[EvidenceKey::interrupt_fraction] = why;
    return;
  }
  evidence.values[EvidenceKey::interrupt_fraction] =
      static_cast<double>(after.interrupt - before.interrupt) / static_cast<double>(total);
  std::int64_t busy = after.busy - before.busy;
  if (input.before.siblings && input.after.siblings) busy += input.after.siblings->busy - input.before.siblings->busy;
  const double own = (input.child.cpu_s + input.child.left_behind_cpu_s) * input.ticks_per_second;
  evidence.values[EvidenceKey::steal_fraction] =
      static_cast<double>(after.steal - before.steal) / static_cast<double>(total);
  if (input.shares_cpus) {
    evidence.absent[EvidenceKey::foreign_busy_fraction] = "the two processes of a pair share these CPUs";
    return;
  }
  if (input.measured.empty()) {
    evidence.absent[EvidenceKey::foreign_busy_fraction] = "the process is not pinned: others on any CPU would count";
    return;
  }
  evidence.values[EvidenceKey::foreign_busy_fraction] =
      std::max(0.0, static_cast<double>(busy) - own) / static_cast<double>(total);
}

/// While the main thread waits for the child itself, something else of the child runs.
std::int64_t own_wait_ns(const ChildUsage& child) {
  if (!child.exited.run_ns) return 0;
  const double all_s = child.cpu_s + child.left_behind_cpu_s;
  const auto others_ns = static_cast<std::int64_t>(all_s * 1e9) - *child.exited.run_ns;
  return std::clamp<std::int64_t>(others_ns, 0, std::max<std::int64_t>(0, *child.exited.runqueue_wait_ns));
}

void add_child(Evidence& evidence, const ChildUsage& child, const CpuList& measured) {
  evidence.values[EvidenceKey::wall_s] = child.wall_s;
  evidence.values.insert(child.counts.begin(), child.counts.end());
  if (child.exited.runqueue_wait_ns && child.wall_s > 0) {
    const std::int64_t own_ns = own_wait_ns(child);
    evidence.values[EvidenceKey::runqueue_wait_fraction] =
        static_cast<double>(*child.exited.runqueue_wait_ns - own_ns) * 1e-9 / child.wall_s;
    evidence.values[EvidenceKey::own_wait_fraction] = static_cast<double>(own_ns) * 1e-9 / child.wall_s;
  } else {
    evidence.absent[EvidenceKey::runqueue_wait_fraction] = "the kernel keeps no scheduler statistics of the process";
  }
  if (measured.empty()) {
    evidence.absent[EvidenceKey::affinity_changed] = "the process could not be pinned";
  } else if (!child.exited.affinity) {
    evidence.absent[EvidenceKey::affinity_changed] = "the CPUs of the finished process cannot be read";
  } else {
    // A narrower mask is fine: the workload pinned itself.
    evidence.values[EvidenceKey::affinity_changed] = difference(*child.exited.affinity, measured).empty() ? 0 : 1;
  }
}

}  // namespace

Evidence evidence_of(const EvidenceInput& input) {
  Evidence evidence;
  evidence.absent = input.before.absent;
  evidence.absent.insert(input.after.absent.begin(), input.after.absent.end());
  add_tick_fractions(evidence, input);
  add_counters(evidence, input);
  add_child(evidence, input.child, input.measured);
  for (const auto& [key, value] : evidence.values) evidence.absent.erase(key);
  return evidence;
}

void tell_own_move(const HostCounters& before, const HostCounters& after, Evidence& evidence) {
  const auto changed = evidence.values.find(EvidenceKey::affinity_changed);
  if (changed == evidence.values.end()) return;
  const bool is_own = !before.allowed_cpus.empty() && before.allowed_cpus == after.allowed_cpus;
  evidence.values[EvidenceKey::own_affinity_change] = is_own ? changed->second : 0;
  if (is_own) changed->second = 0;
}

void add_runqueue_time(const RunQueueTime& time, Evidence& evidence) {
  constexpr EvidenceKey keys[] = {EvidenceKey::runqueue_wait_fraction, EvidenceKey::own_wait_fraction};
  const std::int64_t own_ns = std::clamp<std::int64_t>(time.own_wait_ns, 0, std::max<std::int64_t>(0, time.wait_ns));
  const std::int64_t waits_ns[] = {time.wait_ns - own_ns, own_ns};
  const auto wanted = static_cast<double>(time.run_ns + time.wait_ns);
  for (std::size_t i = 0; i < std::size(keys); ++i) {
    if (time.more_threads_than_cpus) {
      evidence.values.erase(keys[i]);
      evidence.absent[keys[i]] = "more threads than measured CPUs: they wait for each other";
    } else if (wanted > 0) {
      evidence.values[keys[i]] = static_cast<double>(waits_ns[i]) / wanted;
      evidence.absent.erase(keys[i]);
    }
  }
}

}  // namespace stepgate
