// A CPU beside those that a process is pinned to: the launcher leaves one over for everything that is not measured.
#pragma once

#include <optional>

namespace stepgate {

/// A CPU on which a thread of this process may run, outside the CPUs that the process is pinned to and their cores;
/// absent if there is none.
std::optional<int> spare_cpu();

/// Moves the calling thread to `cpu`. False where the kernel refuses.
bool stay_on_cpu(int cpu);

}  // namespace stepgate
