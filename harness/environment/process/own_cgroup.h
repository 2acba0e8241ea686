// Where this process stands in the cgroup hierarchies, as /proc/self/cgroup says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "environment/host_files/host_files.h"

namespace stepgate {

/// Path of this process's group in cgroup v2, "/user.slice/..." or "/"; absent where v2 is not there. Inside a
/// container the path may name a folder that only the host has.
std::optional<std::string> own_group_v2(const HostFiles& files);

/// True where a hierarchy of cgroup v1 holds `controller`, which v2 cannot have then.
bool belongs_to_cgroup_v1(const HostFiles& files, std::string_view controller);

}  // namespace stepgate
