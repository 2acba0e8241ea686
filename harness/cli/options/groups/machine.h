// What stepgate may set on this machine while it measures, and where it notes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/options/option_row.h"
#include "experiment/host/quiet_host.h"

namespace stepgate {

/// --guard and the clocks that it may lock; doctor shows what they would do.
struct GuardChoice {
  GuardMode mode = GuardMode::process;
  std::optional<std::int64_t> gpu_clock;
  std::optional<std::int64_t> gpu_memory_clock;
};
OptionRow guard_row(GuardChoice& o);
OptionRows clock_rows(GuardChoice& o);

OptionRow state_dir_row(std::filesystem::path& state_folder);
/// Absolute; the usual one where none was named.
std::filesystem::path state_folder_of(const std::filesystem::path& named);
HostOptions host_options(const GuardChoice& o, const std::filesystem::path& state_folder);

/// Every command that plans measurements.
struct QuietMachine {
  GuardChoice guard;
  std::string knobs;  ///< the only ones to set, by name, "" = all of the mode
  double wait_lock_s = 600;
};
OptionRows rows_of(QuietMachine& o);
HostOptions host_options(const QuietMachine& o);

/// Every command that measures here.
struct GuardedMachine {
  QuietMachine quiet;
  std::filesystem::path state_folder;  ///< "" = /var/lib/stepgate
};
OptionRows rows_of(GuardedMachine& o);
HostOptions host_options(const GuardedMachine& o);

}  // namespace stepgate
