#include "system/files/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "system/files/file_error.h"

namespace stepgate {
namespace {

constexpr mode_t new_file_mode = 0666;  // less the umask

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, std::string_view step, int error_number) {
  throw file_error(ErrorKind::measure, {path, step, error_number});
}

Descriptor open_new(const std::filesystem::path& path, int flags) {
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, new_file_mode); }));
}

/// Not open where it cannot be made, or could not get a name later.
Descriptor open_nameless(const std::filesystem::path& folder) {
  if (::access("/proc/self/fd", X_OK) != 0) return Descriptor();
  return open_new(folder, O_WRONLY | O_TMPFILE);
}

std::filesystem::path name_beside(const std::filesystem::path& target, int attempt) {
  return folder_of(target) / fmt::format(".stepgate-{}-{}.tmp", ::getpid(), attempt);
}

}  // namespace

void create_folder_of(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(folder_of(path), error);
  if (error) fail_to_write(path, "cannot create its folder", error.value());
}

TemporaryFile::TemporaryFile(const std::filesystem::path& target)
    : target_(target), file_(open_nameless(folder_of(target))) {
  if (!file_.is_open()) open_beside_target();
}

TemporaryFile::~TemporaryFile() {
  if (!is_nameless()) ::unlink(path_.c_str());
}

/// The name is short whatever the target's is, and O_EXCL makes the file this process's alone.
void TemporaryFile::open_beside_target() {
  for (int attempt = 0; !file_.is_open(); ++attempt) {
    const std::filesystem::path name = name_beside(target_, attempt);
    file_ = open_new(name, O_WRONLY | O_CREAT | O_EXCL);
    if (file_.is_open())
      path_ = name;
    else if (errno != EEXIST)
      fail_to_write(target_, "cannot create a temporary file beside it", errno);
  }
}

void TemporaryFile::set_permissions_of(const std::filesystem::path& model) const {
  struct stat existing {};
  if (::stat(model.c_str(), &existing) != 0) return;
  const int result = uninterrupted([&] { return ::fchmod(file_.number(), existing.st_mode & 07777); });
  if (result != 0) fail_to_write(target_, "cannot set permissions", errno);
}

void TemporaryFile::write(std::string_view text) const { require("cannot write", write_whole(file_, text)); }

void TemporaryFile::replace_target(AfterCrash after_crash) {
  const bool flushes = after_crash == AfterCrash::old_or_new;
  if (flushes) flush();
  close_named();
  take_the_place_of_target();
  if (flushes) flush_folder();
}

void TemporaryFile::take_the_place_of_target() {
  if (is_nameless()) {
    if (link_to(target_) == 0) return;  // nothing was there
    take_name_beside_target();
  }
  const int result = uninterrupted([&] { return std::rename(path_.c_str(), target_.c_str()); });
  if (result != 0) fail_to_write(target_, "cannot replace it", errno);
  path_.clear();
}

bool TemporaryFile::become_target() {
  flush();
  close_named();
  const int error = link_to(target_);
  if (error == EEXIST) return false;
  require("cannot link", error);
  flush_folder();
  return true;
}

int TemporaryFile::link_to(const std::filesystem::path& name) const {
  const std::string own = is_nameless() ? fmt::format("/proc/self/fd/{}", file_.number()) : path_.string();
  const int result = uninterrupted(
      [&] { return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), is_nameless() ? AT_SYMLINK_FOLLOW : 0); });
  return result == 0 ? 0 : errno;
}

void TemporaryFile::take_name_beside_target() {
  for (int attempt = 0; is_nameless(); ++attempt) {
    const std::filesystem::path name = name_beside(target_, attempt);
    const int error = link_to(name);
    if (error == 0)
      path_ = name;
    else if (error != EEXIST)
      fail_to_write(target_, "cannot create a temporary file beside it", error);
  }
}

void TemporaryFile::flush() const { require("cannot flush to disk", sync_to_disk(file_)); }

/// One without a name is closed by the destructor: closing it earlier would lose it. Only network file systems report a
/// full disk at the end, and these have none.
void TemporaryFile::close_named() {
  if (!is_nameless()) require("cannot close", file_.close_checked());
}

/// Without this a crash of the machine could bring the old file back under this name.
void TemporaryFile::flush_folder() const {
  const Descriptor folder = open_new(folder_of(target_), O_RDONLY | O_DIRECTORY);
  if (!folder.is_open()) fail_to_write(target_, "cannot open its folder to flush it", errno);
  require("cannot flush its folder to disk", sync_to_disk(folder));
}

void TemporaryFile::require(std::string_view step, int error) const {
  if (error != 0) fail_to_write(target_, step, error);
}

}  // namespace stepgate
