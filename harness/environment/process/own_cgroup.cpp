#include "environment/process/own_cgroup.h"

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

/// One line of /proc/self/cgroup, "4:cpu,cpuacct:/docker/1f"; v2 is "0::/path".
struct CgroupLine {
  std::string_view controllers;
  std::string_view group;
};

std::optional<CgroupLine> cgroup_line_of(std::string_view line) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  return CgroupLine{line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

bool lists_controller(std::string_view controllers, std::string_view controller) {
  while (!controllers.empty()) {
    const std::size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == controller) return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

}  // namespace

std::optional<std::string> own_group_v2(const HostFiles& files) {
  const auto text = files.read("/proc/self/cgroup");
  if (!text) return std::nullopt;
  for (const std::string_view line : lines_of(*text)) {
    const auto group = cgroup_line_of(line);
    if (group && group->controllers.empty()) return std::string(group->group);
  }
  return std::nullopt;
}

bool belongs_to_cgroup_v1(const HostFiles& files, std::string_view controller) {
  const auto text = files.read("/proc/self/cgroup");
  if (!text) return false;
  for (const std::string_view line : lines_of(*text)) {
    const auto group = cgroup_line_of(line);
    if (group && lists_controller(group->controllers, controller)) return true;
  }
  return false;
}

}  // namespace stepgate
