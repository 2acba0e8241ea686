#include <fmt/format.h>

#include "cli/commands.h"
#include "core/error.h"
#include "environment/guard/guard_lock.h"
#include "environment/guard/recovery.h"
#include "experiment/quiet_host.h"
#include "experiment/unrestored.h"

namespace stepgate {
namespace {

/// The watchdog of a run that died a moment ago may be at it.
constexpr double lock_patience_s = 10;

bool holds_gpu_changes(const std::filesystem::path& folder) {
  const auto journal = left_behind(folder);
  if (!journal) return false;
  for (const JournalEntry& entry : journal->entries) {
    if (entry.change.knob.starts_with("gpu_")) return true;
  }
  return false;
}

void print(const Recovery& recovery) {
  const RestoreOutcome& outcome = recovery.outcome;
  if (recovery.rebooted) {
    fmt::print("the machine was rebooted since: nothing of the journal holds any more; it is removed\n");
    return;
  }
  fmt::print("{} put back, {} were as before, {} are gone\n", outcome.restored, outcome.unchanged, outcome.gone);
  if (recovery.journal.damaged_lines > 0) {
    fmt::print("{} damaged lines of the journal: a knob is touched only after its line is whole\n",
               recovery.journal.damaged_lines);
  }
  print_conflicts(stdout, recovery);
}

}  // namespace

int command_recover(const Options& options) {
  if (!options.arguments.empty()) {
    throw Error(ErrorKind::usage, fmt::format("recover takes no argument, found '{}'", options.arguments.front()),
                "another journal: --state-dir DIR");
  }
  const std::filesystem::path folder = state_folder(options);
  if (!std::filesystem::exists(journal_path(folder))) {
    fmt::print("nothing to put back: {} does not exist\n", journal_path(folder).string());
    return 0;
  }
  const Descriptor lock = lock_guard(folder, lock_patience_s);
  SystemFiles files("/");
  const auto gpus = holds_gpu_changes(folder) ? std::optional(NvmlLibrary::open()) : std::nullopt;
  const Recovery recovery = recover({files, gpus ? gpus->get() : nullptr}, folder);
  if (!recovery.found) {  // a watchdog was faster
    fmt::print("nothing to put back: done by the watchdog meanwhile\n");
    return 0;
  }
  print(recovery);
  print_failures(recovery);
  return recovery.outcome.complete() ? 0 : 3;
}

}  // namespace stepgate
