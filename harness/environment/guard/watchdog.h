// A process of its own that restores the host when the launcher dies, however it dies.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "system/descriptor.h"

namespace stepgate {

/// First argument of the launcher's program that makes it the watchdog: `stepgate --guard-watchdog STATE_FOLDER`, with
/// the line to the launcher as descriptor 3 and the guard's lock as descriptor 4. Internal.
inline constexpr const char* watchdog_word = "--guard-watchdog";

struct WatchdogRequest {
  std::filesystem::path program;       ///< the launcher's own
  std::filesystem::path state_folder;  ///< folder of the journal
  const Descriptor& lock;              ///< from lock_guard(): shared with the watchdog
};

/// The launcher's side. The watchdog restores the host when the launcher dies, and only ends when dismissed.
class Watchdog {
 public:
  /// Returns once the watchdog runs, in a session of its own. Throws Error(measure) if it does not within five seconds.
  static Watchdog start(const WatchdogRequest& request);

  Watchdog(Watchdog&&) noexcept = default;
  Watchdog& operator=(Watchdog&&) noexcept = default;

  /// Everything is restored: ends the watchdog and waits for it.
  void dismiss();

  pid_t pid() const { return pid_; }

 private:
  Watchdog(pid_t pid, Descriptor line) : pid_(pid), line_(std::move(line)) {}
  pid_t pid_;
  Descriptor line_;
};

/// The watchdog's side: the whole life of that process. Returns its exit status.
int watch(const std::filesystem::path& state_folder);

}  // namespace stepgate
