// One measuring run per host at a time: two would measure each other.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <utility>

#include "core/error.h"
#include "system/descriptor.h"
#include "system/files/file_lock.h"

namespace stepgate {

struct RunLockRequest {
  std::filesystem::path path;  ///< default_run_lock_path() outside tests
  std::string command;         ///< what the holder does, for the message of the next run
  LockWait wait = {};          ///< for another holder
};

/// A file that every user of this host can reach: "/tmp/stepgate-run.lock". Not TMPDIR or XDG_RUNTIME_DIR, which
/// differ between users while the CPUs do not.
std::filesystem::path default_run_lock_path();

/// Holds the lock from construction to destruction. The kernel releases it however the process ends. Children do not
/// inherit it. The file stays and names the last holder.
class RunLock {
 public:
  /// Throws Error(measure) if another process still holds the lock after the wait (the message has its pid, its command
  /// and its start), or if the file cannot be opened; Interruption if a signal came meanwhile.
  static RunLock acquire(const RunLockRequest& request);

 private:
  explicit RunLock(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  Descriptor descriptor_;
};

}  // namespace stepgate
