#include "environment/guard/run_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <thread>

#include "core/error.h"
#include "environment/host_files/pseudo_file.h"

namespace stepgate {
namespace {

constexpr mode_t for_everyone = 0666;

[[noreturn]] void fail_open(const std::filesystem::path& path) {
  throw Error(ErrorKind::measure, fmt::format("cannot open the run lock {}: {}", path.string(), std::strerror(errno)),
              "check who owns the file and whether the disk is full; remove it if no run is under way");
}

/// Opens without O_CREAT first: in sticky folders kernels refuse O_CREAT on another user's file (protected_regular).
/// A file that may only be read can still be locked.
Descriptor open_lock_file(const std::filesystem::path& path) {
  constexpr int flags = O_CLOEXEC | O_NOFOLLOW;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Descriptor descriptor(::open(path.c_str(), O_RDWR | flags));
    if (!descriptor.is_open() && errno == EACCES) descriptor = Descriptor(::open(path.c_str(), O_RDONLY | flags));
    if (descriptor.is_open()) return descriptor;
    if (errno != ENOENT) break;
    descriptor = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | flags, for_everyone));
    if (descriptor.is_open()) {
      static_cast<void>(
          ::fchmod(descriptor.number(), for_everyone));  // ignores the umask; if it fails, only this user can lock
      return descriptor;
    }
    if (errno != EEXIST) break;  // another run was faster: open its file
  }
  fail_open(path);
}

bool try_lock(int descriptor) {
  int result = 0;
  do {
    result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

[[noreturn]] void fail_held(const RunLockRequest& request) {
  const std::string holder = read_pseudo_file(request.path).value_or("");
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
    if (errno != EWOULDBLOCK) fail_open(request.path);
    if (Clock::now() >= deadline) fail_held(request);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  name_holder(lock.descriptor_.number(), request.command);
  return lock;
}

}  // namespace stepgate
