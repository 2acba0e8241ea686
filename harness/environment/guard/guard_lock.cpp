#include "environment/guard/guard_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"
#include "system/regular_file.h"

namespace stepgate {

Descriptor lock_guard(const std::filesystem::path& state_folder, double wait_s) {
  using Clock = std::chrono::steady_clock;
  std::error_code ignored;
  std::filesystem::create_directories(state_folder, ignored);
  const std::filesystem::path path = state_folder / "guard.lock";
  OpenedFile opened = open_regular_file(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0644);
  if (!opened.descriptor.is_open()) {
    throw Error(ErrorKind::measure, error_of(opened, ErrorKind::measure, path, "cannot open the guard's lock").what(),
                "host mode needs root: sudo, or name a folder of yours with --state-dir DIR");
  }
  Descriptor lock = std::move(opened.descriptor);
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
