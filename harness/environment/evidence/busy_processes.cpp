#include "environment/evidence/busy_processes.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "core/text/printable_text.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Less is the ordinary life of a machine; it does not taint a replicate either.
constexpr double fewest_fraction = 0.02;

/// Words of /proc/<pid>/stat behind the name, which may hold blanks and parentheses itself (proc(5): fields 3 on).
enum StatWord : std::size_t { parent_word = 1, user_word = 11, system_word = 12, start_word = 19, cpu_word = 36 };

std::optional<ProcessTime> process_time_from(std::string_view stat) {
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  const auto words = words_of(stat.substr(close + 1));
  if (words.size() <= cpu_word) return std::nullopt;
  const auto number = [&](StatWord word) { return integer_from(words[word]).value_or(0); };
  return ProcessTime{.name = printable_text(stat.substr(open + 1, close - open - 1)),  // a process names itself
                     .parent = static_cast<int>(number(parent_word)),
                     .ticks = number(user_word) + number(system_word),
                     .started = number(start_word),
                     .cpu = static_cast<int>(number(cpu_word))};
}

/// Ticks between the readings: a process that is new, or has the number of another one, counts from its start.
std::int64_t ticks_between(const ProcessTimes& before, int pid, const ProcessTime& after) {
  const auto known = before.find(pid);
  const bool same = known != before.end() && known->second.started == after.started;
  return after.ticks - (same ? known->second.ticks : 0);
}

}  // namespace

ProcessTimes read_process_times(const fs::path& sysroot) {
  ProcessTimes times;
  std::error_code error;
  for (fs::directory_iterator entry(sysroot / "proc", error), end; !error && entry != end; entry.increment(error)) {
    const auto pid = integer_from(entry->path().filename().string());
    const auto stat = pid ? read_pseudo_file(entry->path() / "stat") : std::nullopt;
    const auto time = stat ? process_time_from(*stat) : std::nullopt;
    if (time) times.emplace(static_cast<int>(*pid), *time);
  }
  return times;
}

std::vector<BusyProcess> busiest_processes(const ProcessTimes& before, const ProcessTimes& after, const BusyTime& time,
                                           const BusyPlace& place) {
  std::vector<BusyProcess> busy;
  for (const auto& [pid, process] : after) {
    if (pid == place.self || process.parent == place.self || time.wall_s <= 0) continue;
    const double cpu_s = static_cast<double>(ticks_between(before, pid, process)) / time.ticks_per_second;
    if (cpu_s / time.wall_s < fewest_fraction) continue;
    const bool on_measured = std::find(place.cpus.begin(), place.cpus.end(), process.cpu) != place.cpus.end();
    busy.push_back({.pid = pid,
                    .name = process.name,
                    .cpu_fraction = cpu_s / time.wall_s,
                    .cpu = process.cpu,
                    .on_measured = on_measured});
  }
  std::stable_sort(busy.begin(), busy.end(), [](const BusyProcess& a, const BusyProcess& b) {
    return a.on_measured != b.on_measured ? a.on_measured : a.cpu_fraction > b.cpu_fraction;
  });
  if (busy.size() > most_busy_processes) busy.resize(most_busy_processes);
  return busy;
}

}  // namespace stepgate
