// What a guard wrote before it changed the host. It is enough to restore every setting after the guard was killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/host/knob_change.h"

namespace stepgate {

/// The process that wrote the journal.
struct JournalRun {
  std::string boot_id;  ///< /proc/sys/kernel/random/boot_id: a reboot makes the journal void
  std::int64_t pid = 0;
  std::int64_t start_ticks = 0;  ///< field 22 of /proc/<pid>/stat: tells the process from a later one with the same pid
  std::string utc;
  std::string command;
  std::int64_t boot_time_s = 0;  ///< btime of /proc/stat; 0: unknown. Some containers have boot ids of their own

  bool operator==(const JournalRun&) const = default;
};

struct JournalEntry {
  std::size_t number = 0;  ///< in the order of application; damaged lines leave gaps
  KnobChange change;
  std::optional<std::string> after = {};  ///< the value read back; absent: perhaps never applied
  bool restored = false;
  bool refused = false;  ///< the write failed with an error

  bool operator==(const JournalEntry&) const = default;
};

struct Journal {
  std::optional<JournalRun> run;
  std::vector<JournalEntry> entries;
  /// Lines that are incomplete or damaged. The guard changes a knob only after its line is on the disk, so an
  /// incomplete last line is a knob that was never changed.
  std::int64_t damaged_lines = 0;
};

}  // namespace stepgate
