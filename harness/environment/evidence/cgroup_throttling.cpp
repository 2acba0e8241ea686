#include "environment/evidence/cgroup_throttling.h"

#include <string>
#include <string_view>
#include <vector>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

struct CpuMembership {
  std::vector<fs::path> mounts;  ///< where this hierarchy is mounted, most likely first
  fs::path group;                ///< relative
};

/// One line of /proc/self/cgroup: "0::/user.slice" (v2) or "4:cpu,cpuacct:/docker/1f" (v1).
std::optional<CpuMembership> cpu_membership_of(std::string_view line) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const std::string_view controllers = line.substr(first + 1, second - first - 1);
  const fs::path group = fs::path(line.substr(second + 1)).relative_path();
  if (controllers.empty()) return CpuMembership{{"sys/fs/cgroup", "sys/fs/cgroup/unified"}, group};
  if (controllers != "cpu" && !controllers.starts_with("cpu,") && !controllers.ends_with(",cpu")) return std::nullopt;
  return CpuMembership{{fs::path("sys/fs/cgroup") / controllers, "sys/fs/cgroup/cpu"}, group};
}

std::optional<std::int64_t> throttled_in(const fs::path& folder) {
  const auto stat = read_pseudo_file(folder / "cpu.stat");
  const auto value = stat ? value_after(*stat, "nr_throttled") : std::nullopt;
  return value ? integer_from(*value) : std::nullopt;
}

void add_upwards(const fs::path& mount, fs::path group, std::optional<std::int64_t>& sum) {
  for (;;) {
    if (const auto count = throttled_in(mount / group)) sum = sum.value_or(0) + *count;
    if (group.empty()) return;
    group = group.parent_path();
  }
}

}  // namespace

std::optional<std::int64_t> cgroup_throttled_periods(const std::filesystem::path& sysroot) {
  const auto text = read_pseudo_file(sysroot / "proc/self/cgroup");
  if (!text) return std::nullopt;
  std::optional<std::int64_t> sum;
  for (std::string_view line : lines_of(*text)) {
    const auto membership = cpu_membership_of(line);
    if (!membership) continue;
    for (const fs::path& mount : membership->mounts) {
      std::optional<std::int64_t> here;
      add_upwards(sysroot / mount, membership->group, here);
      if (!here) continue;
      sum = sum.value_or(0) + *here;
      break;
    }
  }
  return sum;
}

}  // namespace stepgate
