// What the kernel knows about one finished child process.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

#include "core/record/evidence.h"
#include "environment/cpus/cpu_list.h"

namespace stepgate {

/// Read while the child has exited and is not yet reaped: its files below /proc are gone afterwards.
struct ExitedChild {
  std::optional<std::int64_t> runqueue_wait_ns;  ///< main thread: ready to run, but waiting for a CPU
  std::optional<std::int64_t> run_ns;            ///< main thread: on a CPU
  std::optional<CpuList> affinity;               ///< CPUs of its main thread, at its end
};

ExitedChild read_exited_child(const std::filesystem::path& sysroot, pid_t pid);

/// Over all threads of the child and of the children that it waited for (wait4).
struct ChildUsage {
  double wall_s = 0;
  double cpu_s = 0;
  double left_behind_cpu_s = 0;               ///< what it started and did not wait for, wherever it hid; not in `cpu_s`
  std::map<EvidenceKey, double> counts = {};  ///< evidence as it is
  ExitedChild exited = {};
};

/// User and system time.
double cpu_seconds(const rusage& usage);

ChildUsage child_usage(const rusage& usage, double wall_s, const ExitedChild& exited);

}  // namespace stepgate
