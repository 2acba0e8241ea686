#include "environment/knobs/partition_knob.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "environment/knobs/occupied_cpus.h"
#include "environment/knobs/settled_knob.h"
#include "environment/process/own_cgroup.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

const std::string partition_name = "partition";

std::optional<CpuList> list_in(const HostFiles& files, const std::string& path) {
  const auto text = files.read(path);
  return text ? cpu_list_from_text(*text) : std::nullopt;
}

/// The mount of cgroup v2: alone, or beside v1. Absent if there is none.
std::optional<std::string> cgroup_mount(const HostFiles& files) {
  for (const char* place : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    if (files.read(std::string(place) + "/cgroup.controllers")) return place;
  }
  return std::nullopt;
}

/// Only groups below the machine's root have a type: a mount that has one is a container's group.
bool is_machine_root(const HostFiles& files, const std::string& mount) {
  return !files.read(mount + "/cgroup.type").has_value();
}

struct FoundPartition {
  std::string group;
  std::string kind;  ///< "isolated" or "root"
};

/// The partition below the machine's root that somebody has put this process into; absent if there is none.
std::optional<FoundPartition> partition_around_us(const HostFiles& files, const std::string& mount) {
  std::string group = own_group_v2(files).value_or("");
  while (group.size() > 1 && group.front() == '/') {
    const auto kind = files.read(mount + group + "/cpuset.cpus.partition");
    if (kind == "isolated" || kind == "root") return FoundPartition{group, *kind};
    group.resize(group.rfind('/'));
  }
  return std::nullopt;
}

/// Why the mount offers no cpuset controller.
KnobReport without_controller(const HostFiles& files, const std::optional<std::string>& mount) {
  if (belongs_to_cgroup_v1(files, "cpuset")) {
    return unsupported_knob(partition_name, "the cpuset controller belongs to cgroup v1 here, which has no partitions",
                            "boot with systemd.unified_cgroup_hierarchy=1 or cgroup_no_v1=all");
  }
  if (!mount) return unsupported_knob(partition_name, "no cgroup v2 is mounted on /sys/fs/cgroup");
  if (!is_machine_root(files, *mount)) {
    return unsupported_knob(partition_name, "the cpuset controller was not given to this container",
                            "needs the host: run on it, or in a container with --privileged --cgroupns=host");
  }
  return unsupported_knob(partition_name, "this kernel has no cpuset controller (CONFIG_CPUSETS)");
}

/// Memory nodes of these CPUs, "0-1"; "" if they are not known or have no memory of their own. The kernel refuses a
/// node without memory, and takes those of the parent if none is named.
std::string memory_nodes_of(const HostFiles& files, const CpuList& cpus) {
  const std::string folder = "/sys/devices/system/node";
  CpuList nodes;
  for (const std::string& name : files.names_in(folder)) {
    if (!name.starts_with("node")) continue;
    const auto number = integer_from(std::string_view(name).substr(4));
    const auto local = list_in(files, fmt::format("{}/{}/cpulist", folder, name));
    if (number && local && !intersection(*local, cpus).empty()) nodes.push_back(static_cast<int>(*number));
  }
  std::sort(nodes.begin(), nodes.end());
  const auto with_memory = list_in(files, folder + "/has_memory");
  return text_of(with_memory ? intersection(nodes, *with_memory) : nodes);
}

/// True on kernels that know cpuset.cpus.exclusive (6.7 and later). The root itself has no such file. A file that
/// newer kernels give the root shows it, or a group that has the controller.
bool knows_exclusive_cpus(const HostFiles& files, const std::string& mount) {
  if (files.read(mount + "/cpuset.cpus.isolated")) return true;
  const auto groups = files.names_in(mount);
  return std::any_of(groups.begin(), groups.end(), [&](const std::string& group) {
    return files.read(fmt::format("{}/{}/cpuset.cpus.exclusive", mount, group)).has_value();
  });
}

std::vector<KnobChange> partition_changes(const HostFiles& files, const HostWishes& wishes, const std::string& mount) {
  const CpuList cpus = occupied_cpus(wishes);
  const std::string folder = mount + "/stepgate";
  std::vector<KnobChange> changes;
  const auto add = [&](ChangeKind kind, std::string target, std::string original, std::string wanted) {
    changes.push_back({partition_name, kind, std::move(target), std::move(original), std::move(wanted)});
  };
  const std::string control = mount + "/cgroup.subtree_control";
  if (!has_word(files.read(control).value_or(""), "cpuset")) add(ChangeKind::controller, control, "", "cpuset");
  add(ChangeKind::folder, folder, "absent", "present");
  add(ChangeKind::file_in_folder, folder + "/cpuset.cpus", "", text_of(cpus));
  const std::string nodes = memory_nodes_of(files, cpus);
  if (!nodes.empty()) add(ChangeKind::file_in_folder, folder + "/cpuset.mems", "", nodes);
  // Other groups may name our CPUs in their cpuset.cpus, as systemd's AllowedCPUs does. Then only this claims them.
  if (knows_exclusive_cpus(files, mount)) {
    add(ChangeKind::file_in_folder, folder + "/cpuset.cpus.exclusive", "", text_of(cpus));
  }
  add(ChangeKind::file_in_folder, folder + "/cpuset.cpus.partition", "",
      wishes.measured.size() > 1 ? "root" : "isolated");
  return changes;
}

}  // namespace

KnobPlan plan_partition(const HostFiles& files, const HostWishes& wishes) {
  const auto mount = cgroup_mount(files);
  const auto controllers = mount ? files.read(*mount + "/cgroup.controllers") : std::nullopt;
  if (!controllers || !has_word(*controllers, "cpuset")) return settled_plan(without_controller(files, mount));
  if (const auto found = partition_around_us(files, *mount)) {
    return settled_plan(
        already_knob(partition_name, found->kind, fmt::format("{} is a partition already", found->group)));
  }
  // A child of the root and not of our own group: a partition's parent has to be a partition itself, which the root
  // always is and a user's slice never. Since Linux 6.7 a "remote" partition may lie deeper, but then every group above
  // it must claim the same CPUs as exclusive, and those groups belong to systemd.
  const std::vector<KnobChange> changes = partition_changes(files, wishes, *mount);
  const std::string processes = *mount + "/cgroup.procs";
  if (const int refusal = files.write_refusal(processes)) {
    return settled_plan(denied_knob(files, {changes.back()}, processes, refusal));
  }
  if (!is_machine_root(files, *mount)) {
    return settled_plan(unsupported_knob(partition_name,
                                         "a container's cgroup root is not a partition, so none can be below it",
                                         "needs the host: run on it, or in a container with --cgroupns=host"));
  }
  const auto all = list_in(files, *mount + "/cpuset.cpus.effective");
  if (all && difference(*all, occupied_cpus(wishes)).empty()) {
    return settled_plan(unsupported_knob(partition_name, "no CPU would be left to everything else",
                                         "leave a core free: measure with fewer threads or processes"));
  }
  return changes_or_settled(files, changes, {});
}

}  // namespace stepgate
