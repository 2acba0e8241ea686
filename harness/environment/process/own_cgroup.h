// The cgroups of this process, from /proc/self/cgroup.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "environment/host_files/host_files.h"

namespace stepgate {

/// Path of this process's group in cgroup v2, "/user.slice/..." or "/"; absent without v2. Inside a
/// container the path may name a folder that only the host has.
std::optional<std::string> own_group_v2(const HostFiles& files);

/// True if a hierarchy of cgroup v1 has `controller`. Then v2 cannot have it.
bool belongs_to_cgroup_v1(const HostFiles& files, std::string_view controller);

}  // namespace stepgate
