#include "environment/evidence/host_counters.h"

#include <fmt/format.h>

#include "environment/evidence/cgroup_throttling.h"
#include "environment/host_files/pseudo_file.h"

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

std::optional<std::int64_t> swap_pages(const fs::path& sysroot) {
  const auto vmstat = read_pseudo_file(sysroot / "proc/vmstat");
  const auto in = number_after(vmstat, "pswpin");
  const auto out = number_after(vmstat, "pswpout");
  if (!in || !out) return std::nullopt;
  return *in + *out;
}

std::optional<std::int64_t> migrated_pages(const fs::path& sysroot) {
  return number_after(read_pseudo_file(sysroot / "proc/vmstat"), "numa_pages_migrated");
}

/// "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234"
std::optional<std::int64_t> stall_us(const fs::path& pressure) {
  const auto text = read_pseudo_file(pressure);
  const std::size_t at = text ? text->find("total=") : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  const auto words = words_of(std::string_view(*text).substr(at + 6));
  return words.empty() ? std::nullopt : integer_from(words.front());
}

/// Intel only. A package's events count once per measured CPU: zero stays zero, and more than zero is too much anyway.
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

std::optional<double> load_average(const fs::path& sysroot) {
  const auto text = read_pseudo_file(sysroot / "proc/loadavg");
  const auto words = text ? words_of(*text) : std::vector<std::string_view>{};
  if (words.empty()) return std::nullopt;
  try {
    return std::stod(std::string(words.front()));
  } catch (const std::exception&) {
    return std::nullopt;
  }
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
    counters.absent["steal_fraction"] = why;
    counters.absent["foreign_busy_fraction"] = why;
  }
  counters.throttled_periods = cgroup_throttled_periods(source.sysroot);
  if (!counters.throttled_periods)
    counters.absent["quota_throttled_periods"] = "no cgroup of this process counts throttling";
  counters.swap_pages = swap_pages(source.sysroot);
  if (!counters.swap_pages) counters.absent["swap_pages"] = "/proc/vmstat has no pswpin and pswpout";
  counters.numa_pages_migrated = migrated_pages(source.sysroot);
  if (!counters.numa_pages_migrated) counters.absent["numa_pages_migrated"] = "/proc/vmstat has no numa_pages_migrated";
  counters.memory_stall_us = stall_us(source.sysroot / "proc/pressure/memory");
  if (!counters.memory_stall_us)
    counters.absent["memory_stall_fraction"] = "this kernel keeps no /proc/pressure/memory";
  counters.cpu_throttle_events = throttle_events(source);
  if (!counters.cpu_throttle_events) {
    counters.absent["cpu_throttle_events"] = "no thermal_throttle counters: not an Intel CPU, or a virtual machine";
  }
  counters.load_average = load_average(source.sysroot);
  if (!counters.load_average) counters.absent["load_average"] = "/proc/loadavg cannot be read";
  return counters;
}

}  // namespace stepgate
