#include "system/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>

#include "system/descriptor.h"
#include "system/elapsed.h"
#include "system/files/file.h"
#include "system/files/file_error.h"
#include "system/files/same_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

[[noreturn]] void refuse_output(const fs::path& path, std::string_view what, const char* remedy) {
  throw Error(ErrorKind::measure, fmt::format("{}: {}", path.string(), what), remedy);
}

/// Follows the links of a name whose last link leads to nothing.
fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;  // as in the kernel
  std::error_code failed;
  for (int link = 0; link < most_links; ++link) {
    const fs::path next = fs::read_symlink(path, failed);
    if (failed) return path;
    path = path.parent_path() / next;  // an absolute `next` takes the whole place
  }
  return path;
}

/// The descriptor of stdout or stderr where that is what the path names, else -1. A file opened a second time would be
/// written from its beginning.
int standard_stream(const struct stat& target) {
  for (const int number : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat stream {};
    if (::fstat(number, &stream) == 0 && is_same_file(stream, target)) return number;
  }
  return -1;
}

void write_to_stream(const fs::path& path, int number, std::string_view text) {
  std::fflush(number == STDOUT_FILENO ? stdout : stderr);
  while (!text.empty()) {
    const ssize_t written = ::write(number, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw file_error(ErrorKind::measure, {path, "cannot write", written < 0 ? errno : ENOSPC});
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A FIFO can be opened once somebody reads it.
Descriptor open_when_read(const fs::path& path) {
  const auto start = Clock::now();
  for (;;) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file.is_open()) return file;
    if (errno != ENXIO && errno != EINTR) throw file_error(ErrorKind::measure, {path, "cannot open", errno});
    if (seconds_since(start) > output_patience_s) {
      refuse_output(path, "nobody reads it", "start its reader first, or name a regular file");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void write_with_patience(const fs::path& path, const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written == 0 || errno != EAGAIN) throw file_error(ErrorKind::measure, {path, "cannot write", errno});
    pollfd ready{.fd = file.number(), .events = POLLOUT, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(output_patience_s * 1000)) == 0) {
      refuse_output(path, "its reader takes nothing", "end the reader, or name a regular file");
    }
  }
}

void write_into(const fs::path& path, mode_t mode, std::string_view text) {
  if (S_ISDIR(mode)) throw file_error(ErrorKind::measure, {path, "cannot write", EISDIR});
  if (S_ISBLK(mode)) refuse_output(path, "it is a disk", "name a file; writing to a disk would destroy what it holds");
  if (S_ISSOCK(mode)) refuse_output(path, "it is a socket", "name a regular file or a FIFO");
  write_with_patience(path, open_when_read(path), text);
}

}  // namespace

bool is_standard_stream(const fs::path& path) {
  struct stat target {};
  return ::stat(path.c_str(), &target) == 0 && standard_stream(target) >= 0;
}

void write_output_file(const fs::path& path, std::string_view text) {
  struct stat target {};
  if (::stat(path.c_str(), &target) != 0) {
    if (errno != ENOENT) throw file_error(ErrorKind::measure, {path, "cannot write", errno});
    return write_file_atomically(end_of_links(path), text);
  }
  if (const int number = standard_stream(target); number >= 0) return write_to_stream(path, number, text);
  if (!S_ISREG(target.st_mode)) return write_into(path, target.st_mode, text);
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed) throw file_error(ErrorKind::measure, {path, "cannot write", failed.value()});
  write_file_atomically(real, text);
}

}  // namespace stepgate
