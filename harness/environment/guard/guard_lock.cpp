#include "environment/guard/guard_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

#include "core/error.h"

namespace stepgate {

Descriptor lock_guard(const std::filesystem::path& state_folder, double wait_s) {
  using Clock = std::chrono::steady_clock;
  std::error_code ignored;
  std::filesystem::create_directories(state_folder, ignored);
  const std::filesystem::path path = state_folder / "guard.lock";
  Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock.is_open()) {
    throw Error(ErrorKind::measure,
                fmt::format("cannot open the guard's lock {}: {}", path.string(), std::strerror(errno)),
                "host mode needs root: sudo, or name a folder of yours with --state-dir DIR");
  }
  const auto deadline = Clock::now() + std::chrono::duration<double>(wait_s);
  while (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR && Clock::now() >= deadline) {
      throw Error(ErrorKind::measure, fmt::format("another run guards this host (lock {})", path.string()),
                  "wait for the other run to end; `fuser` names who holds the file");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return lock;
}

}  // namespace stepgate
