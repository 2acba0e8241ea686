#include "system/files/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "system/files/file_error.h"

namespace stepgate {
namespace {

/// Something else may put a name back after each removal.
constexpr int most_attempts = 16;

std::string_view kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Descriptor open_without_waiting(const std::filesystem::path& path, int flags, mode_t mode) {
  int number = -1;
  do {
    number = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode);
  } while (number < 0 && errno == EINTR);
  return Descriptor(number);
}

}  // namespace

OpenedFile open_regular_file(const std::filesystem::path& path, int flags, mode_t mode) {
  struct stat found {};
  // Opening a device can act on it, so the name is looked at first.
  const bool exists = ::stat(path.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) return {.error = EISDIR};
  if (exists && !S_ISREG(found.st_mode)) return {.is = kind_of(found.st_mode)};
  Descriptor file = open_without_waiting(path, flags, mode);
  if (!file.is_open()) return {.error = errno};
  if (::fstat(file.number(), &found) != 0) return {.error = errno};
  if (S_ISDIR(found.st_mode)) return {.error = EISDIR};
  if (!S_ISREG(found.st_mode)) return {.is = kind_of(found.st_mode)};
  return {.descriptor = std::move(file)};
}

OpenedFile create_own_file(const std::filesystem::path& path, int flags) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    struct stat found {};
    const bool exists = ::lstat(path.c_str(), &found) == 0;
    if (exists && (S_ISCHR(found.st_mode) || S_ISBLK(found.st_mode))) return {.is = kind_of(found.st_mode)};
    if (exists && ::unlink(path.c_str()) != 0 && errno != ENOENT) return {.error = errno};
    Descriptor file = open_without_waiting(path, flags | O_CREAT | O_EXCL, 0644);
    if (file.is_open()) return {.descriptor = std::move(file)};
    if (errno != EEXIST) break;
  }
  return {.error = errno};
}

Error error_of(const OpenedFile& opened, ErrorKind kind, const std::filesystem::path& path, std::string_view step) {
  if (opened.is.empty()) return file_error(kind, {path, step, opened.error});
  return {kind, fmt::format("{}: {}: it is {} and not a regular file", path.string(), step, opened.is),
          "name a regular file; copy what another program delivers into one first"};
}

}  // namespace stepgate
