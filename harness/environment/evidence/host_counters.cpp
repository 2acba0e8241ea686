#include "environment/evidence/host_counters.h"

#include <fmt/format.h>

#include "environment/evidence/cgroup_throttling.h"
#include "environment/host_files/host_files.h"
#include "environment/process/own_cgroup.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// "cpu3 user nice system idle iowait irq softirq steal guest guest_nice": guest time is part of user already.
std::optional<CpuTicks> ticks_of_line(std::string_view line) {
  const auto words = words_of(line);
  if (words.size() < 9) return std::nullopt;
  std::int64_t field[9] = {};
  for (std::size_t i = 1; i < 9; ++i) {
    const auto value = integer_from(words[i]);
    if (!value) return std::nullopt;
    field[i] = *value;
  }
  CpuTicks ticks;
  ticks.busy = field[1] + field[2] + field[3] + field[6] + field[7];
  ticks.interrupt = field[6] + field[7];
  ticks.steal = field[8];
  ticks.total = ticks.busy + ticks.steal + field[4] + field[5];
  return ticks;
}

/// Sum over `cpus`, absent where one of them is missing (offline).
std::optional<CpuTicks> ticks_of(std::string_view stat, const CpuList& cpus) {
  CpuTicks sum;
  std::size_t found = 0;
  for (std::string_view line : lines_of(stat)) {
    const auto words = words_of(line);
    if (words.empty() || !words.front().starts_with("cpu")) continue;
    const auto number = integer_from(words.front().substr(3));
    if (!number || intersection(cpus, {static_cast<int>(*number)}).empty()) continue;
    const auto ticks = ticks_of_line(line);
    if (!ticks) return std::nullopt;
    sum.busy += ticks->busy;
    sum.interrupt += ticks->interrupt;
    sum.steal += ticks->steal;
    sum.total += ticks->total;
    ++found;
  }
  if (found != cpus.size()) return std::nullopt;
  return sum;
}

std::optional<std::int64_t> number_after(const std::optional<std::string>& text, std::string_view key) {
  const auto value = text ? value_after(*text, key) : std::nullopt;
  return value ? integer_from(*value) : std::nullopt;
}

std::optional<std::int64_t> throttled_periods(const CounterSource& source) {
  return cgroup_throttled_periods(source.sysroot);
}

std::optional<std::int64_t> swap_pages(const CounterSource& source) {
  const auto vmstat = read_pseudo_file(source.sysroot / "proc/vmstat");
  const auto in = number_after(vmstat, "pswpin");
  const auto out = number_after(vmstat, "pswpout");
  if (!in || !out) return std::nullopt;
  return *in + *out;
}

std::optional<std::int64_t> migrated_pages(const CounterSource& source) {
  return number_after(read_pseudo_file(source.sysroot / "proc/vmstat"), "numa_pages_migrated");
}

/// "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234"
std::optional<std::int64_t> memory_stall_us(const CounterSource& source) {
  const auto text = read_pseudo_file(source.sysroot / "proc/pressure/memory");
  const std::size_t at = text ? text->find("total=") : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  const auto words = words_of(std::string_view(*text).substr(at + 6));
  return words.empty() ? std::nullopt : integer_from(words.front());
}

/// Intel only. A package's events count once per measured CPU: zero stays zero, and any other number is above the
/// limit.
std::optional<std::int64_t> throttle_events(const CounterSource& source) {
  std::optional<std::int64_t> sum;
  for (int cpu : source.measured) {
    const fs::path folder = source.sysroot / fmt::format("sys/devices/system/cpu/cpu{}/thermal_throttle", cpu);
    for (const char* name : {"core_throttle_count", "package_throttle_count"}) {
      if (const auto count = read_pseudo_number(folder / name)) sum = sum.value_or(0) + *count;
    }
  }
  return sum;
}

std::optional<double> load_average(const CounterSource& source) {
  const auto text = read_pseudo_file(source.sysroot / "proc/loadavg");
  const auto words = text ? words_of(*text) : std::vector<std::string_view>{};
  if (words.empty()) return std::nullopt;
  try {
    return std::stod(std::string(words.front()));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string allowed_cpus_here(const fs::path& sysroot) {
  const auto status = read_pseudo_file(sysroot / "proc/thread-self/status");
  const auto own = status ? value_after(*status, "Cpus_allowed_list") : std::nullopt;
  if (!own) return "";
  const auto group = own_group_v2(SystemFiles(sysroot));
  const auto cpuset =
      group ? read_pseudo_file(sysroot / "sys/fs/cgroup" / fs::path(*group).relative_path() / "cpuset.cpus.effective")
            : std::nullopt;
  return fmt::format("{} of {}", *own, cpuset.value_or("any"));
}

/// A key and how to read its counter.
template <typename Value>
struct HostCounter {
  EvidenceKey key;
  std::optional<Value> (*read)(const CounterSource&);
  const char* why_absent;
};

constexpr HostCounter<std::int64_t> host_counts[] = {
    {EvidenceKey::quota_throttled_periods, throttled_periods, "no cgroup of this process counts throttling"},
    {EvidenceKey::swap_pages, swap_pages, "/proc/vmstat has no pswpin and pswpout"},
    {EvidenceKey::numa_pages_migrated, migrated_pages, "/proc/vmstat has no numa_pages_migrated"},
    {EvidenceKey::cpu_throttle_events, throttle_events,
     "no thermal_throttle counters: not an Intel CPU, or a virtual machine"},
};
constexpr HostCounter<std::int64_t> host_times_us[] = {
    {EvidenceKey::memory_stall_fraction, memory_stall_us, "this kernel keeps no /proc/pressure/memory"},
};
constexpr HostCounter<double> host_levels[] = {
    {EvidenceKey::load_average, load_average, "/proc/loadavg cannot be read"},
};

template <typename Value, std::size_t N>
std::map<EvidenceKey, Value> read_all(const HostCounter<Value> (&counters)[N], const CounterSource& source,
                                      std::map<EvidenceKey, std::string>& absent) {
  std::map<EvidenceKey, Value> values;
  for (const HostCounter<Value>& counter : counters) {
    if (const auto value = counter.read(source)) {
      values[counter.key] = *value;
    } else {
      absent[counter.key] = counter.why_absent;
    }
  }
  return values;
}

}  // namespace

HostCounters read_host_counters(const CounterSource& source) {
  HostCounters counters;
  if (const auto stat = read_pseudo_file(source.sysroot / "proc/stat")) {
    counters.measured = ticks_of(*stat, source.measured);
    counters.siblings = ticks_of(*stat, source.siblings);
  }
  if (!counters.measured) {
    const std::string why = fmt::format("/proc/stat does not show CPU {}", text_of(source.measured));
    counters.absent[EvidenceKey::steal_fraction] = why;
    counters.absent[EvidenceKey::foreign_busy_fraction] = why;
  }
  counters.allowed_cpus = allowed_cpus_here(source.sysroot);
  counters.counts = read_all(host_counts, source, counters.absent);
  counters.times_us = read_all(host_times_us, source, counters.absent);
  counters.levels = read_all(host_levels, source, counters.absent);
  return counters;
}

}  // namespace stepgate
