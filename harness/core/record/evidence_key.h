// Every kind of evidence that stepgate knows: one row per key. Evidence shows what disturbed a replicate; it does not
// depend on any timing.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace stepgate {

enum class EvidenceKey {
  wall_s,
  steal_fraction,
  foreign_busy_fraction,
  interrupt_fraction,
  runqueue_wait_fraction,
  quota_throttled_periods,
  swap_pages,
  numa_pages_migrated,
  cpu_throttle_events,
  memory_stall_fraction,
  load_average,
  involuntary_switches,
  voluntary_switches,
  minor_faults,
  major_faults,
  affinity_changed,
  cpu_offline,
  cpu_mean_mhz,
  watch_cpu_fraction,
  knobs_overwritten,
  own_wait_fraction,
  own_affinity_change,
  waiting_cpu_fraction,
  gpu_hw_thermal_ns,
  gpu_power_brake_ns,
  gpu_sw_thermal_ns,
  gpu_sync_boost_ns,
  gpu_power_cap_fraction,
  other_gpu_processes,
  gpu_clock_mean_mhz,
  gpu_clock_off_lock_fraction,
  gpu_temperature_c,
  gpu_power_w,
  gpu_memory_used_before_bytes,
  gpu_mps_clients,
  gpu_energy_j,
  package_energy_j,
  energy_steps,
  generator_late_ns,
  generator_late_fraction,
  gpu_xid_errors,
};

/// The highest value of a clean replicate. By default only interference that the measured code cannot cause has a
/// limit: a regression that causes more page faults or waits must not get its replicates discarded.
struct TaintLimit {
  double value = 0;
  std::string_view origin;  ///< where the number comes from
  std::string_view reason;  ///< what a value above the limit means, e.g. "the hypervisor ran another machine"
};

struct EvidenceRow {
  EvidenceKey key;
  std::string_view name;                 ///< the key in every file and in "taint_limits"; carries its unit
  std::string_view unit;                 ///< "s", "ns", "fraction", "count", "yes/no", "MHz", "W", "J", "C", "bytes"
  std::string_view meaning;              ///< what it counts
  std::optional<TaintLimit> limit = {};  ///< absent: never discards a replicate unless a policy limits it
  bool doctor_checks = false;            ///< `stepgate doctor` says whether this machine provides it
};

namespace evidence_detail {

inline constexpr std::string_view any_event = "a quiet machine shows none";
inline constexpr std::string_view quiet_machine =
    "measured on a quiet machine and beside a competitor: docs/quiet_machine.md";
inline constexpr std::string_view single_tick = "one clock tick of 100, the fewest that count";
inline constexpr std::string_view single_sample = "one sample of 50, the fewest that count";

// A latency is at least load * gap, and a late announcement makes a request wait for its lateness / (1 - load).
inline constexpr std::string_view small_beside_latencies =
    "own choice: at a load of 0.1 to 0.7 it adds at most 1.1 % to the mean latency, which ignores 5 %";

inline constexpr auto rows = std::to_array<EvidenceRow>({
    {EvidenceKey::wall_s, "wall_s", "s", "wall time of the whole process"},
    {EvidenceKey::steal_fraction, "steal_fraction", "fraction",
     "time that the hypervisor took from the measured CPUs while they had work",
     TaintLimit{0.01, single_tick, "the hypervisor ran another machine"}, true},
    {EvidenceKey::foreign_busy_fraction, "foreign_busy_fraction", "fraction",
     "time that other processes ran on the measured CPUs or on the hardware threads beside them",
     TaintLimit{0.1, quiet_machine, "other processes ran on the measured CPUs"}, true},
    {EvidenceKey::interrupt_fraction,
     "interrupt_fraction",
     "fraction",
     "time of the measured CPUs in interrupts",
     {},
     true},
    {EvidenceKey::runqueue_wait_fraction, "runqueue_wait_fraction", "fraction",
     "time that threads of the process were ready to run and waited while others had the CPU, over its timed passes",
     TaintLimit{0.05, quiet_machine, "the process waited for a CPU"}, true},
    {EvidenceKey::quota_throttled_periods, "quota_throttled_periods", "count",
     "scheduler periods in which a CPU quota of the process's cgroups stopped it",
     TaintLimit{0, any_event, "a CPU quota stopped the process"}, true},
    {EvidenceKey::swap_pages, "swap_pages", "count", "pages that the machine swapped in or out",
     TaintLimit{0, any_event, "the machine swapped"}, true},
    {EvidenceKey::numa_pages_migrated, "numa_pages_migrated", "count",
     "pages that the kernel moved between memory nodes",
     TaintLimit{0, any_event, "the kernel moved pages between memory nodes"}, true},
    {EvidenceKey::cpu_throttle_events, "cpu_throttle_events", "count", "times that heat slowed a measured CPU",
     TaintLimit{0, any_event, "heat slowed a measured CPU"}, true},
    {EvidenceKey::memory_stall_fraction,
     "memory_stall_fraction",
     "fraction",
     "time in which some task of the machine waited for memory",
     {},
     true},
    {EvidenceKey::load_average, "load_average", "count",
     "processes that ran or wanted to run before the replicate, mean over one minute"},
    {EvidenceKey::involuntary_switches, "involuntary_switches", "count",
     "times that the kernel took a CPU from the process"},
    {EvidenceKey::voluntary_switches, "voluntary_switches", "count", "times that the process gave up its CPU"},
    {EvidenceKey::minor_faults, "minor_faults", "count", "page faults without a disk access"},
    {EvidenceKey::major_faults, "major_faults", "count", "page faults with a disk access"},
    {EvidenceKey::affinity_changed, "affinity_changed", "yes/no",
     "1 if somebody else allowed a thread of the process on a CPU that is not measured",
     TaintLimit{0, any_event, "the process was moved off the measured CPUs"}, true},
    {EvidenceKey::cpu_offline, "cpu_offline", "yes/no", "1 if a measured CPU was offline",
     TaintLimit{0, any_event, "a measured CPU went offline"}, true},
    {EvidenceKey::cpu_mean_mhz, "cpu_mean_mhz", "MHz", "clock of the measured CPUs, mean of the samples"},
    {EvidenceKey::watch_cpu_fraction, "watch_cpu_fraction", "fraction",
     "CPU time that stepgate used to watch the process, by wall time"},
    {EvidenceKey::knobs_overwritten, "knobs_overwritten", "count",
     "settings of the host guard that somebody else changed meanwhile",
     TaintLimit{0, any_event, "somebody changed a setting of the host guard"}},
    {EvidenceKey::own_wait_fraction, "own_wait_fraction", "fraction",
     "time that threads of the process waited for a CPU while its own other threads or children may have had it"},
    {EvidenceKey::own_affinity_change, "own_affinity_change", "yes/no",
     "1 if the program itself allowed one of its threads on a CPU that is not measured"},
    {EvidenceKey::waiting_cpu_fraction, "waiting_cpu_fraction", "fraction",
     "CPU time that the process used while the other process of its pair had its window, by the time of that"},
    {EvidenceKey::gpu_hw_thermal_ns, "gpu_hw_thermal_ns", "ns", "time that heat made the GPU halve its clock",
     TaintLimit{0, any_event, "heat slowed the GPU"}},
    {EvidenceKey::gpu_power_brake_ns, "gpu_power_brake_ns", "ns", "time that the power supply made the GPU slow down",
     TaintLimit{0, any_event, "the power supply slowed the GPU"}},
    {EvidenceKey::gpu_sw_thermal_ns, "gpu_sw_thermal_ns", "ns", "time that the driver slowed the GPU for its heat"},
    {EvidenceKey::gpu_sync_boost_ns, "gpu_sync_boost_ns", "ns",
     "time that the GPU kept to the clock of another GPU of its group"},
    {EvidenceKey::gpu_power_cap_fraction, "gpu_power_cap_fraction", "fraction",
     "time that the power limit held the GPU's clock back"},
    {EvidenceKey::other_gpu_processes, "other_gpu_processes", "count", "processes of others on the GPU",
     TaintLimit{0, any_event, "another process used the GPU"}},
    {EvidenceKey::gpu_clock_mean_mhz, "gpu_clock_mean_mhz", "MHz", "clock of the working GPU, mean of the samples"},
    {EvidenceKey::gpu_clock_off_lock_fraction, "gpu_clock_off_lock_fraction", "fraction",
     "samples of the working GPU that are more than 2 % off the locked clock while the power limit was not the cause",
     TaintLimit{0.02, single_sample, "the GPU left its locked clock"}},
    {EvidenceKey::gpu_temperature_c, "gpu_temperature_c", "C", "highest temperature of the GPU"},
    {EvidenceKey::gpu_power_w, "gpu_power_w", "W", "power of the working GPU, mean of the samples"},
    {EvidenceKey::gpu_memory_used_before_bytes, "gpu_memory_used_before_bytes", "bytes",
     "memory of the GPU in use before the process started"},
    {EvidenceKey::gpu_mps_clients, "gpu_mps_clients", "count",
     "clients of the Multi-Process Service on the GPU, ours included"},
    {EvidenceKey::gpu_energy_j, "gpu_energy_j", "J", "energy of the process's GPUs over the steps of energy_steps"},
    {EvidenceKey::package_energy_j, "package_energy_j", "J",
     "energy of all CPU packages over the steps of energy_steps, other programs included"},
    {EvidenceKey::energy_steps, "energy_steps", "count", "steps of the e2e pass between two readings of energy"},
    {EvidenceKey::generator_late_ns, "generator_late_ns", "ns",
     "the longest time by which the generator of an open loop announced a request late"},
    {EvidenceKey::generator_late_fraction, "generator_late_fraction", "fraction",
     "time by which the generator of an open loop announced requests late, all together, by the time of their arrivals",
     TaintLimit{0.001, small_beside_latencies, "the generator of requests was late"}},
    {EvidenceKey::gpu_xid_errors, "gpu_xid_errors", "count",
     "faults that the GPU's driver reported (Xid) while the process ran, without those that a program can cause",
     TaintLimit{0, any_event, "the GPU or its driver failed"}},
});

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].key != static_cast<EvidenceKey>(i)) return false;
  }
  return true;
}
static_assert(is_in_order(), "one row per key, in the order of the keys");

}  // namespace evidence_detail

/// All rows, in the order of the keys.
inline constexpr const auto& evidence_rows = evidence_detail::rows;

constexpr const EvidenceRow& row_of(EvidenceKey key) { return evidence_rows[static_cast<std::size_t>(key)]; }
constexpr std::string_view name_of(EvidenceKey key) { return row_of(key).name; }
constexpr std::optional<EvidenceKey> evidence_key_named(std::string_view name) {
  for (const EvidenceRow& row : evidence_rows) {
    if (row.name == name) return row.key;
  }
  return std::nullopt;
}

}  // namespace stepgate
