// What a guard wrote down before it touched the host: enough for anyone to put everything back after it died.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/host/knob_change.h"

namespace stepgate {

/// Whose journal it is.
struct JournalRun {
  std::string boot_id;  ///< /proc/sys/kernel/random/boot_id: after a reboot nothing of it holds
  std::int64_t pid = 0;
  std::int64_t start_ticks = 0;  ///< field 22 of /proc/<pid>/stat: tells the process from a later one of its number
  std::string utc;
  std::string command;
  std::int64_t boot_time_s = 0;  ///< btime of /proc/stat; 0: not known. Some containers have boot ids of their own

  bool operator==(const JournalRun&) const = default;
};

struct JournalEntry {
  std::size_t number = 0;  ///< in the order of application; damaged lines leave gaps
  KnobChange change;
  std::optional<std::string> after = {};  ///< what it read back as; absent: perhaps never applied
  bool restored = false;
  bool refused = false;  ///< it was tried, and answered with an error

  bool operator==(const JournalEntry&) const = default;
};

struct Journal {
  std::optional<JournalRun> run;
  std::vector<JournalEntry> entries;
  /// Lines that are torn or damaged. A knob is touched only after its line is on the disk, so a torn last line is a
  /// knob that was never touched.
  std::int64_t damaged_lines = 0;
};

}  // namespace stepgate
