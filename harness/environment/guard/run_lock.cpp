#include "environment/guard/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "core/error.h"
#include "system/files/regular_file.h"

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

[[noreturn]] void fail_held(const RunLockRequest& request, const LockHolder& holder) {
  throw Error(ErrorKind::measure,
              fmt::format("another run measures on this host: {} (lock {})", text_of(holder), request.path.string()),
              "wait for it to end, or give it longer with --wait-lock SECONDS" +
                  (holder.pid.empty() ? "" : ", or stop pid " + holder.pid));
}

}  // namespace

std::filesystem::path default_run_lock_path() { return "/tmp/stepgate-run.lock"; }

RunLock RunLock::acquire(const RunLockRequest& request) {
  RunLock lock(open_lock_file(request.path));
  if (!lock_file(lock.descriptor_, request.wait)) {
    if (errno != EWOULDBLOCK) fail_open(request.path, {.error = errno});
    fail_held(request, holder_of(lock.descriptor_));
  }
  name_holder(lock.descriptor_, request.command);
  return lock;
}

}  // namespace stepgate
