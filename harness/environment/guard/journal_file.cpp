#include "environment/guard/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "json/stored/journal_json.h"
#include "system/files/file.h"
#include "system/files/regular_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  throw Error(ErrorKind::measure,
              fmt::format("cannot write the guard's journal {}: {}", path.string(), std::strerror(error)),
              "free disk space, or name another folder with --state-dir DIR");
}

int sync_folder(const fs::path& folder) {
  const Descriptor descriptor(
      uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  return descriptor.is_open() ? sync_to_disk(descriptor) : errno;
}

int write_and_sync(const Descriptor& descriptor, const std::string& text, const fs::path& folder) {
  if (const int error = write_whole(descriptor, text)) return error;
  if (const int error = sync_to_disk(descriptor)) return error;
  return sync_folder(folder);
}

/// What a journal says is done with the rights of this process.
[[noreturn]] void refuse_to_obey(const fs::path& path, const std::string& why, const std::string& remedy) {
  throw Error(ErrorKind::measure, fmt::format("{}: {}, so nothing is restored from it", path.string(), why), remedy);
}

/// Whoever may write the journal of root could have root write anything.
void require_trusted_owner(const Descriptor& journal, const fs::path& path) {
  struct stat found {};
  const uid_t self = ::geteuid();
  if (::fstat(journal.number(), &found) != 0) fail_to_write(path, errno);
  if (found.st_uid != 0 && found.st_uid != self) {
    refuse_to_obey(path, fmt::format("the journal belongs to user {} and not to user {}", found.st_uid, self),
                   fmt::format("read it; if it is right: chown {} {}", self, path.string()));
  }
  if (self == 0 && ((found.st_mode & 022U) != 0 || found.st_nlink != 1)) {
    refuse_to_obey(path, "others may write the journal",
                   fmt::format("read it; if it is right: chmod 644 {}, and remove other names of it", path.string()));
  }
}

bool names_kernel_file(const std::string& target) {
  const bool is_below = target.starts_with("/sys/") || target.starts_with("/proc/");
  return is_below && fs::path(target).lexically_normal() == fs::path(target);
}

void require_kernel_files(const Journal& journal, const fs::path& path) {
  for (const JournalEntry& entry : journal.entries) {
    const ChangeKind kind = entry.change.kind;
    if (is_of_gpu(kind) || kind == ChangeKind::paused_process || names_kernel_file(entry.change.target)) continue;
    refuse_to_obey(path,
                   fmt::format("the journal names {}, which is not below /sys or /proc", excerpt(entry.change.target)),
                   "no guard wrote this journal: find out who did, and remove it");
  }
}

}  // namespace

fs::path default_state_folder() { return "/var/lib/stepgate"; }

fs::path journal_path(const fs::path& state_folder) { return state_folder / "guard.journal"; }

std::optional<Journal> left_behind(const fs::path& state_folder) {
  const fs::path path = journal_path(state_folder);
  const OpenedFile opened = open_regular_file(path, O_RDONLY | O_NOFOLLOW);
  if (opened.error == ENOENT) return std::nullopt;
  if (!opened.descriptor.is_open()) throw error_of(opened, ErrorKind::measure, path, "cannot read the guard's journal");
  require_trusted_owner(opened.descriptor, path);
  Journal journal = journal_from_text(read_open_file(opened.descriptor, path, ErrorKind::measure));
  require_kernel_files(journal, path);
  return journal;
}

JournalFile JournalFile::create(const fs::path& state_folder, const JournalRun& run,
                                const std::vector<KnobChange>& changes) {
  std::error_code ignored;
  fs::create_directories(state_folder, ignored);  // opening the file shows what failed
  const fs::path path = journal_path(state_folder);
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
  JournalFile journal(path, Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags, 0644); })));
  if (!journal.descriptor_.is_open()) fail_to_write(path, errno);
  std::string text = journal_line(run);
  for (std::size_t i = 0; i < changes.size(); ++i) text += journal_line(i, changes[i]);
  if (const int error = write_and_sync(journal.descriptor_, text, state_folder)) {
    journal.remove();
    fail_to_write(path, error);
  }
  return journal;
}

JournalFile JournalFile::reopen(const fs::path& state_folder) {
  const fs::path path = journal_path(state_folder);
  OpenedFile opened = open_regular_file(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
  if (!opened.descriptor.is_open()) fail_to_write(path, opened.error != 0 ? opened.error : EINVAL);
  return {path, std::move(opened.descriptor)};
}

void JournalFile::append(const std::string& line) const { static_cast<void>(write_whole(descriptor_, line)); }

void JournalFile::note_applied(std::size_t number, const std::string& after) const {
  append(applied_line(number, after));
}

void JournalFile::note_refused(std::size_t number) const { append(refused_line(number)); }

void JournalFile::note_restored(std::size_t number) const { append(restored_line(number)); }

void JournalFile::remove() const {
  static_cast<void>(::unlink(path_.c_str()) == 0);
  static_cast<void>(sync_folder(path_.parent_path()));
}

}  // namespace stepgate
