// At most one guard per host, its watchdog included.
#pragma once

#include <filesystem>

#include "system/descriptor.h"

namespace stepgate {

/// Locks <state_folder>/guard.lock. The lock belongs to the open file, so a watchdog that inherited the descriptor
/// keeps it after the launcher's death until everything is restored: no other run gets in between. Waits up to
/// `wait_s`. Throws Error(measure) if another run still holds it, or if the file cannot be created.
Descriptor lock_guard(const std::filesystem::path& state_folder, double wait_s);

}  // namespace stepgate
