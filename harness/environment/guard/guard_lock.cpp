#include "environment/guard/guard_lock.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "system/files/regular_file.h"

namespace stepgate {

Descriptor lock_guard(const GuardLockRequest& request) {
  std::error_code ignored;
  std::filesystem::create_directories(request.state_folder, ignored);
  const std::filesystem::path path = request.state_folder / "guard.lock";
  OpenedFile opened = open_regular_file(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0644);
  if (!opened.descriptor.is_open()) {
    throw Error(ErrorKind::measure, error_of(opened, ErrorKind::measure, path, "cannot open the guard's lock").what(),
                "host mode needs root: sudo, or name a folder of yours with --state-dir DIR");
  }
  Descriptor lock = std::move(opened.descriptor);
  if (!lock_file(lock, request.wait)) {
    if (errno != EWOULDBLOCK) throw error_of({.error = errno}, ErrorKind::measure, path, "cannot lock it");
    throw Error(ErrorKind::measure,
                fmt::format("another run guards this host: {} (lock {})", text_of(holder_of(lock)), path.string()),
                "wait for the other run to end; `fuser` names who holds the file");
  }
  name_holder(lock, request.command);
  return lock;
}

}  // namespace stepgate
