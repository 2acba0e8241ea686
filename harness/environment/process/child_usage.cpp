#include "environment/process/child_usage.h"

#include <string>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// "run_ns wait_ns timeslices". Three zeros mean that this kernel does not keep them.
void read_scheduling(const std::optional<std::string>& schedstat, ExitedChild& child) {
  const auto words = schedstat ? words_of(*schedstat) : std::vector<std::string_view>{};
  if (words.size() != 3) return;
  const auto run_ns = integer_from(words[0]);
  const auto wait_ns = integer_from(words[1]);
  if (!run_ns || !wait_ns || (*run_ns == 0 && *wait_ns == 0)) return;
  child.run_ns = run_ns;
  child.runqueue_wait_ns = wait_ns;
}

}  // namespace

ExitedChild read_exited_child(const std::filesystem::path& sysroot, pid_t pid) {
  const std::filesystem::path folder = sysroot / "proc" / std::to_string(pid);
  ExitedChild child;
  read_scheduling(read_pseudo_file(folder / "schedstat"), child);
  const auto status = read_pseudo_file(folder / "status");
  const auto list = status ? value_after(*status, "Cpus_allowed_list") : std::nullopt;
  if (list) child.affinity = cpu_list_from_text(*list);
  return child;
}

double cpu_seconds(const rusage& usage) { return seconds(usage.ru_utime) + seconds(usage.ru_stime); }

ChildUsage child_usage(const rusage& usage, double wall_s, const ExitedChild& exited) {
  return {.wall_s = wall_s,
          .cpu_s = cpu_seconds(usage),
          .counts = {{EvidenceKey::involuntary_switches, static_cast<double>(usage.ru_nivcsw)},
                     {EvidenceKey::voluntary_switches, static_cast<double>(usage.ru_nvcsw)},
                     {EvidenceKey::minor_faults, static_cast<double>(usage.ru_minflt)},
                     {EvidenceKey::major_faults, static_cast<double>(usage.ru_majflt)}},
          .exited = exited};
}

}  // namespace stepgate
