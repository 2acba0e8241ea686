// Restores what an unfinished run left changed. Its watchdog, the next run or `stepgate recover` does it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "environment/guard/restore.h"

namespace stepgate {

struct Recovery {
  bool found = false;                    ///< there was a journal
  std::filesystem::path state_folder;    ///< where the journal was
  bool rebooted = false;                 ///< the machine booted since: nothing is left to restore
  Journal journal;                       ///< as found
  RestoreOutcome outcome;                ///< empty if rebooted
  std::filesystem::path conflicts_file;  ///< "" if there were no conflicts
};

/// The machine's present boot, "" if the kernel does not say.
std::string boot_id(const HostFiles& files);

/// When the machine booted, in seconds since 1970; 0 if the kernel does not say.
std::int64_t boot_time_s(const HostFiles& files);

/// True if `state_folder` holds a journal whose run is not alive any more, or that cannot be read.
bool left_by_dead_run(const HostFiles& files, const std::filesystem::path& state_folder);

/// Restores what the journal of `state_folder` holds. The caller holds lock_guard(). Once nothing is left to restore,
/// the journal is removed. Conflicts are then kept in a file of their own, since the journal has the only copy of the
/// original values. A second call finds nothing. Throws Error(measure) if the journal cannot be read.
Recovery recover(const Host& host, const std::filesystem::path& state_folder);

}  // namespace stepgate
