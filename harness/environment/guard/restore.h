// Restores the host to the values of a journal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/stored/journal.h"
#include "environment/knobs/host_change.h"

namespace stepgate {

/// A setting that somebody else changed meanwhile: it is left alone.
struct RestoreConflict {
  KnobChange change;
  std::string found;  ///< neither the original nor what stepgate wrote
};

struct RestoreFailure {
  KnobChange change;
  int error = 0;  ///< errno; 0: the write succeeded and the value is still another
};

struct RestoreOutcome {
  std::int64_t restored = 0;   ///< by this call
  std::int64_t unchanged = 0;  ///< had its original value already, or was restored earlier
  std::int64_t gone = 0;       ///< the CPU, process or device does not exist any more
  std::vector<RestoreConflict> conflicts;
  std::vector<RestoreFailure> failures;

  /// True if a further attempt has nothing to restore.
  bool complete() const { return failures.empty(); }
};

/// Called with the number of an entry as soon as it has its original value.
using OnRestored = std::function<void(std::size_t number)>;

/// Restores every entry and reads each back: in the order of restore ranks, and in reverse order of application if
/// ranks are equal. What the kernel refuses is tried again after the others, since limits depend on each other.
///
/// A setting is restored only if it still has the value stepgate wrote. One exception: setting one knob can move
/// another (`moved_by` of its row), which is then restored whatever its value. A second call changes nothing. Throws
/// nothing.
RestoreOutcome restore(const Host& host, const Journal& journal, const OnRestored& on_restored);

}  // namespace stepgate
