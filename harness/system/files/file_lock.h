// Waits for the lock on a file, and says who holds it.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "system/descriptor.h"

namespace stepgate {

/// Who holds a lock. The kernel knows its number; when it began, and with what, it wrote into the file, where everybody
/// may write. So the text counts only where it names the same process.
struct LockHolder {
  std::string pid;      ///< "" where the kernel does not show it here: a process of another container
  std::string since;    ///< "2026-11-25T20:16:18Z"; "unknown" where the holder wrote nothing
  std::string command;  ///< "stepgate gate (3 cases)"
  bool operator==(const LockHolder&) const = default;
};

/// "pid 12, since 2026-11-25T20:16:18Z, `stepgate gate (3 cases)`".
std::string text_of(const LockHolder& holder);

LockHolder holder_of(const Descriptor& lock);

/// Writes this process into the file. Best effort: the lock works without its text.
void name_holder(const Descriptor& lock, const std::string& command);

struct LockWait {
  double limit_s = 0;
  const std::atomic<int>* interrupted = nullptr;             ///< number of a signal; 0 or nullptr: none
  std::function<void(const LockHolder&)> on_held = nullptr;  ///< called at once, and again where the holder changes
};

/// flock(2) for this process alone. False where another one still holds the lock after `limit_s`; then errno is
/// EWOULDBLOCK, or says what failed. Throws Interruption as soon as a signal came.
bool lock_file(const Descriptor& file, const LockWait& wait);

}  // namespace stepgate
