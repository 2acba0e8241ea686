#include "cli/commands/command_recover.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/options/groups/cases.h"
#include "cli/options/groups/machine.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "environment/gpu/nvml_library.h"
#include "environment/guard/guard_lock.h"
#include "environment/guard/recovery.h"
#include "experiment/host/recovery_notices.h"

namespace stepgate {
namespace {

/// The watchdog of a run that died a moment ago may be restoring.
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
    print_line(stdout, "the machine was rebooted, which reset all settings; the journal is removed");
    return;
  }
  print_line(stdout, "{} restored, {} already had their original value, {} no longer exist", outcome.restored,
             outcome.unchanged, outcome.gone);
  if (recovery.journal.damaged_lines > 0) {
    print_line(stdout, "damaged lines of the journal, ignored: {}; a knob is changed only after its line is complete",
               recovery.journal.damaged_lines);
  }
  for (const Notice& notice : conflict_notices(recovery)) print_notice(stdout, notice);
}

LockWait guard_wait() {
  return {.limit_s = lock_patience_s, .interrupted = &watch_for_interrupts(), .on_held = [](const LockHolder& holder) {
            print_message(stderr, fmt::format("waiting for the guard of another run: {}", text_of(holder)), "");
          }};
}

}  // namespace

OptionRows rows_of(RecoverCommand& o) { return {state_dir_row(o.state_folder)}; }

int command_recover(const RecoverCommand& o) {
  refuse_arguments(o.arguments, "recover", "to name another journal: --state-dir DIR");
  const std::filesystem::path folder = state_folder_of(o.state_folder);
  if (!std::filesystem::exists(journal_path(folder))) {
    print_line(stdout, "nothing to restore: {} does not exist", journal_path(folder).string());
    return 0;
  }
  const Descriptor lock = lock_guard({folder, "stepgate recover", guard_wait()});
  SystemFiles files("/");
  const auto gpus = holds_gpu_changes(folder) ? std::optional(NvmlLibrary::open()) : std::nullopt;
  const Recovery recovery = recover({files, gpus ? gpus->get() : nullptr}, folder);
  if (!recovery.found) {  // a watchdog was faster
    print_line(stdout, "nothing to restore: the watchdog has done it meanwhile");
    return 0;
  }
  print(recovery);
  for (const Notice& notice : failure_notices(recovery)) print_notice(stderr, notice);
  return recovery.outcome.complete() ? 0 : 3;
}

}  // namespace stepgate
