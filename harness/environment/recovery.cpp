#include "environment/recovery.h"

#include <fmt/format.h>

#include "core/error.h"
#include "environment/journal_file.h"
#include "json/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path write_down(const std::vector<RestoreConflict>& conflicts, const Journal& journal, const fs::path& folder) {
  std::string text;
  for (const RestoreConflict& conflict : conflicts) {
    text += fmt::format("{}: {} was {} before, {} under stepgate, and is {}: left alone\n", conflict.change.knob,
                        conflict.change.target, conflict.change.original, conflict.change.wanted, conflict.found);
  }
  const std::string utc = journal.run ? journal.run->utc : "unknown";
  const fs::path file = folder / fmt::format("conflicts-{}.txt", utc);
  try {
    write_file_atomically(file, text);
  } catch (const Error&) {
    return {};  // a full disk: the caller still tells
  }
  return file;
}

}  // namespace

std::string boot_id(const HostFiles& files) { return files.read("/proc/sys/kernel/random/boot_id").value_or(""); }

Recovery recover(const Host& host, const fs::path& state_folder) {
  auto journal = left_behind(state_folder);
  Recovery recovery;
  if (!journal) return recovery;
  recovery.found = true;
  recovery.journal = std::move(*journal);
  const JournalFile file = JournalFile::reopen(state_folder);
  const auto& run = recovery.journal.run;
  // Without the first line nobody knows the boot; values tell what is ours.
  recovery.rebooted = run && !run->boot_id.empty() && run->boot_id != boot_id(host.files);
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
