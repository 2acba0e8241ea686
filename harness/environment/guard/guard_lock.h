// One guard per host at a time, its watchdog included.
#pragma once

#include <filesystem>

#include "system/descriptor.h"

namespace stepgate {

/// Locks <state_folder>/guard.lock. The lock belongs to the open file, so a watchdog that inherited the descriptor
/// holds it on after the launcher's death until everything is put back: no other run gets in between. Waits up to
/// `wait_s`. Throws Error(measure) where another holds it still, or where the file cannot be made.
Descriptor lock_guard(const std::filesystem::path& state_folder, double wait_s);

}  // namespace stepgate
