// At most one guard per host, its watchdog included.
#pragma once

#include <filesystem>
#include <string>

#include "system/descriptor.h"
#include "system/files/file_lock.h"

namespace stepgate {

struct GuardLockRequest {
  std::filesystem::path state_folder;
  std::string command;  ///< what the holder does, for the message of the next run
  LockWait wait = {};   ///< for another holder
};

/// Locks <state_folder>/guard.lock and writes the holder into it. The lock belongs to the open file, so a watchdog that
/// inherited the descriptor keeps it after the launcher's death until everything is restored: no other run gets in
/// between. Throws Error(measure) if another run still holds it after the wait, or if the file cannot be created;
/// Interruption if a signal came meanwhile.
Descriptor lock_guard(const GuardLockRequest& request);

}  // namespace stepgate
