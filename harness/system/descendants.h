// The processes that a process started, and what these started.
#pragma once

#include <sys/types.h>

#include <vector>

namespace stepgate {

/// Those that live, and those that wait to be reaped; in no order. A process whose parent has ended is no descendant
/// any more. Empty on a kernel without CONFIG_PROC_CHILDREN.
std::vector<pid_t> descendants_of(pid_t pid);

}  // namespace stepgate
