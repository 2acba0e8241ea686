// How often a CPU quota of this process's cgroups has stopped it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace stepgate {

/// nr_throttled of cpu.stat, summed from this process's group up to the root, in cgroup v2 and v1. Absent if no group
/// has such a file. Containers often show a path that does not exist inside them: then only the groups above it count.
std::optional<std::int64_t> cgroup_throttled_periods(const std::filesystem::path& sysroot);

}  // namespace stepgate
