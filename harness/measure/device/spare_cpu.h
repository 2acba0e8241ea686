// A CPU beside those that a process is pinned to: the launcher leaves one over for everything that is not measured, and
// stays there itself.
#pragma once

#include <optional>

namespace stepgate {

/// A CPU on which a thread of this process may run, outside the CPUs that the process is pinned to and their cores, and
/// one of those that its parent may use: the launcher is given CPUs by its user, and leaves the others alone. Absent if
/// there is none.
std::optional<int> spare_cpu();

/// Moves the calling thread to `cpu`. False where the kernel refuses.
bool stay_on_cpu(int cpu);

}  // namespace stepgate
