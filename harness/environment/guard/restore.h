// Putting the host back as a journal says it was.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/stored/journal.h"
#include "environment/knobs/host_change.h"

namespace stepgate {

/// Somebody else changed it meanwhile: left alone.
struct RestoreConflict {
  KnobChange change;
  std::string found;  ///< neither what was there before nor what the guard set
};

struct RestoreFailure {
  KnobChange change;
  int error = 0;  ///< errno; 0: written without complaint and reads back otherwise
};

struct RestoreOutcome {
  std::int64_t restored = 0;   ///< put back by this call
  std::int64_t unchanged = 0;  ///< read as before already, or restored earlier
  std::int64_t gone = 0;       ///< the CPU, process or device is not there any more
  std::vector<RestoreConflict> conflicts;
  std::vector<RestoreFailure> failures;

  /// Nothing is left that a further attempt could put back.
  bool complete() const { return failures.empty(); }
};

/// Told the number of an entry as soon as it reads as before.
using OnRestored = std::function<void(std::size_t number)>;

/// Puts back every entry in the order of restore ranks, in reverse of their application where ranks are equal, and
/// reads each back. What the kernel refuses is tried again once the others are back, since limits depend on each other.
/// An entry is put back only where it still reads as the guard set it. Calling it again changes nothing more. Throws
/// nothing.
RestoreOutcome restore(const Host& host, const Journal& journal, const OnRestored& on_restored);

}  // namespace stepgate
