#include "environment/guard/run_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <thread>
#include <utility>

#include "core/error.h"
#include "environment/host_files/pseudo_file.h"
#include "system/regular_file.h"

namespace stepgate {
namespace {

constexpr mode_t for_everyone = 0666;

[[noreturn]] void fail_open(const std::filesystem::path& path, const OpenedFile& opened) {
  throw Error(ErrorKind::measure, error_of(opened, ErrorKind::measure, path, "cannot open the run lock").what(),
              "check who owns the file and whether the disk is full; remove it if no run is under way");
}

/// Opens without O_CREAT first: in sticky folders kernels refuse O_CREAT on another user's file (protected_regular).
/// A file that may only be read can still be locked.
Descriptor open_lock_file(const std::filesystem::path& path) {
  OpenedFile opened;
  for (int attempt = 0; attempt < 2; ++attempt) {
    opened = open_regular_file(path, O_RDWR | O_NOFOLLOW);
    if (opened.error == EACCES) opened = open_regular_file(path, O_RDONLY | O_NOFOLLOW);
    if (opened.descriptor.is_open()) return std::move(opened.descriptor);
    if (opened.error != ENOENT) break;
    opened = open_regular_file(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, for_everyone);
    if (opened.descriptor.is_open()) {
      // Ignores the umask; if it fails, only this user can lock.
      static_cast<void>(::fchmod(opened.descriptor.number(), for_everyone));
      return std::move(opened.descriptor);
    }
    if (opened.error != EEXIST) break;  // another run was faster: open its file
  }
  fail_open(path, opened);
}

bool try_lock(int descriptor) {
  int result = 0;
  do {
    result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

/// What its holder wrote into the lock. Everybody may write there, so only its beginning is read.
std::string text_in(const Descriptor& lock) {
  std::string text(4096, '\0');
  const ssize_t got = ::pread(lock.number(), text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

[[noreturn]] void fail_held(const RunLockRequest& request, const Descriptor& lock) {
  const std::string holder = text_in(lock);
  const auto field = [&](const char* key) { return value_after(holder, key).value_or("unknown"); };
  throw Error(ErrorKind::measure,
              fmt::format("another run measures on this host: pid {}, since {}, `{}` (lock {})", field("pid"),
                          field("since"), field("command"), request.path.string()),
              fmt::format("wait for it to end, give it longer with --wait-lock SECONDS, or stop pid {}", field("pid")));
}

/// Best effort: the lock works without its text.
void name_holder(int descriptor, const std::string& command) {
  std::string one_line = command;
  for (char& c : one_line) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  const std::time_t now = std::time(nullptr);
  const std::string text =
      fmt::format("pid: {}\nsince: {:%Y-%m-%dT%H:%M:%SZ}\ncommand: {}\n", ::getpid(), fmt::gmtime(now), one_line);
  if (::ftruncate(descriptor, 0) != 0) return;
  static_cast<void>(::pwrite(descriptor, text.data(), text.size(), 0) < 0);
}

}  // namespace

std::filesystem::path default_run_lock_path() { return "/tmp/stepgate-run.lock"; }

RunLock RunLock::acquire(const RunLockRequest& request) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(request.wait_s);
  RunLock lock(open_lock_file(request.path));
  while (!try_lock(lock.descriptor_.number())) {
    if (errno != EWOULDBLOCK) fail_open(request.path, {.error = errno});
    if (Clock::now() >= deadline) fail_held(request, lock.descriptor_);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  name_holder(lock.descriptor_.number(), request.command);
  return lock;
}

}  // namespace stepgate
