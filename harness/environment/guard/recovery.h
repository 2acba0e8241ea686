// What an unfinished run left changed, put back: by its watchdog, by the next run, or by `stepgate recover`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "environment/guard/restore.h"

namespace stepgate {

struct Recovery {
  bool found = false;                    ///< a journal was there
  std::filesystem::path state_folder;    ///< where
  bool rebooted = false;                 ///< of another boot: the kernel has forgotten all of it already
  Journal journal;                       ///< as found
  RestoreOutcome outcome;                ///< empty where rebooted
  std::filesystem::path conflicts_file;  ///< where conflicts were written down, "" where there were none
};

/// The machine's present boot, "" where the kernel does not say.
std::string boot_id(const HostFiles& files);

/// When it was booted, in seconds since 1970; 0 where the kernel does not say.
std::int64_t boot_time_s(const HostFiles& files);

/// Whether `state_folder` holds the journal of a run that is not alive any more, or one that cannot be read.
bool left_by_dead_run(const HostFiles& files, const std::filesystem::path& state_folder);

/// Restores what the journal of `state_folder` holds. The caller holds lock_guard(). The journal is removed once
/// nothing is left to put back; conflicts are then kept in a file of their own, since the journal has the only copy of
/// what was there before. A second call finds nothing. Throws Error(measure) where the journal cannot be read.
Recovery recover(const Host& host, const std::filesystem::path& state_folder);

}  // namespace stepgate
