#include "environment/guard/recovery.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/error.h"
#include "core/text/path_text.h"
#include "environment/guard/journal_file.h"
#include "environment/process/paused_process.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path write_down(const std::vector<RestoreConflict>& conflicts, const Journal& journal, const fs::path& folder) {
  std::string text;
  for (const RestoreConflict& conflict : conflicts) {
    text += fmt::format("{}: {} was {} before, {} under stepgate, and is {}: left alone\n", conflict.change.knob,
                        conflict.change.target, conflict.change.original, conflict.change.wanted, conflict.found);
  }
  // A damaged journal holds any text.
  const bool is_known = journal.run && is_path_text(PathText::file_name, journal.run->utc);
  const fs::path file = folder / fmt::format("conflicts-{}.txt", is_known ? journal.run->utc : "unknown");
  try {
    write_file_atomically(file, text);
  } catch (const Error&) {
    return {};  // a full disk: the caller still reports the conflicts
  }
  return file;
}

/// Setting the clock moves btime by as much. Nobody boots twice within two minutes.
constexpr std::int64_t same_boot_s = 120;

/// Some containers have a boot id of their own, new at each start, while the machine did not boot.
bool is_of_another_boot(const JournalRun& run, const HostFiles& files) {
  const std::string now = boot_id(files);
  if (run.boot_id.empty() || now.empty() || run.boot_id == now) return false;
  const std::int64_t booted_s = boot_time_s(files);
  return run.boot_time_s == 0 || booted_s == 0 || std::abs(run.boot_time_s - booted_s) > same_boot_s;
}

}  // namespace

std::int64_t boot_time_s(const HostFiles& files) {
  const auto stat = files.read("/proc/stat");
  const auto at = stat ? stat->find("btime ") : std::string::npos;
  return at == std::string::npos ? 0 : std::strtoll(stat->c_str() + at + 6, nullptr, 10);
}

std::string boot_id(const HostFiles& files) { return files.read("/proc/sys/kernel/random/boot_id").value_or(""); }

bool left_by_dead_run(const HostFiles& files, const fs::path& state_folder) {
  try {
    const auto journal = left_behind(state_folder);
    if (!journal) return false;
    if (!journal->run) return true;
    const auto alive = process_identity(files, static_cast<int>(journal->run->pid));
    return !alive || alive->start_ticks != std::to_string(journal->run->start_ticks);
  } catch (const Error&) {
    return true;
  }
}

Recovery recover(const Host& host, const fs::path& state_folder) {
  auto journal = left_behind(state_folder);
  Recovery recovery;
  if (!journal) return recovery;
  recovery.found = true;
  recovery.state_folder = state_folder;
  recovery.journal = std::move(*journal);
  const JournalFile file = JournalFile::reopen(state_folder);
  const auto& run = recovery.journal.run;
  // Without the first line the boot is unknown. The values still show what stepgate wrote.
  recovery.rebooted = run && is_of_another_boot(*run, host.files);
  if (!recovery.rebooted) {
    recovery.outcome = restore(host, recovery.journal, [&](std::size_t number) { file.note_restored(number); });
  }
  if (!recovery.outcome.complete()) return recovery;
  if (!recovery.outcome.conflicts.empty()) {
    recovery.conflicts_file = write_down(recovery.outcome.conflicts, recovery.journal, state_folder);
    if (recovery.conflicts_file.empty()) return recovery;
  }
  file.remove();
  return recovery;
}

}  // namespace stepgate
