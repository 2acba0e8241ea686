#include "environment/guard/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "json/stored/journal_json.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  throw Error(ErrorKind::measure,
              fmt::format("cannot write the guard's journal {}: {}", path.string(), std::strerror(error)),
              "free disk space, or name another folder with --state-dir DIR");
}

int sync_folder(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return descriptor.is_open() ? sync_to_disk(descriptor) : errno;
}

int write_and_sync(const Descriptor& descriptor, const std::string& text, const fs::path& folder) {
  if (const int error = write_whole(descriptor, text)) return error;
  if (const int error = sync_to_disk(descriptor)) return error;
  return sync_folder(folder);
}

}  // namespace

fs::path default_state_folder() { return "/var/lib/stepgate"; }

fs::path journal_path(const fs::path& state_folder) { return state_folder / "guard.journal"; }

std::optional<Journal> left_behind(const fs::path& state_folder) {
  const auto text = read_text_file_if_present(journal_path(state_folder), ErrorKind::measure);
  return text ? std::optional(journal_from_text(*text)) : std::nullopt;
}

JournalFile JournalFile::create(const fs::path& state_folder, const JournalRun& run,
                                const std::vector<KnobChange>& changes) {
  std::error_code ignored;
  fs::create_directories(state_folder, ignored);  // opening the file shows what failed
  const fs::path path = journal_path(state_folder);
  JournalFile journal(path, Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644)));
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
  Descriptor descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!descriptor.is_open()) fail_to_write(path, errno);
  return {path, std::move(descriptor)};
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
