#include "experiment/unrestored.h"

#include <fmt/format.h>

#include <cstring>

namespace stepgate {

void print_conflicts(std::FILE* to, const Recovery& recovery) {
  const char* speaker = to == stderr ? "stepgate: " : "";
  for (const RestoreConflict& conflict : recovery.outcome.conflicts) {
    fmt::print(to, "{}left alone: {} is '{}', neither '{}' as before nor '{}' as stepgate set it\n", speaker,
               conflict.change.target, conflict.found, conflict.change.original, conflict.change.wanted);
  }
  if (!recovery.conflicts_file.empty()) {
    fmt::print(to, "  next: set it yourself; kept in {}\n", recovery.conflicts_file.string());
  }
}

void print_failures(const Recovery& recovery) {
  for (const RestoreFailure& failure : recovery.outcome.failures) {
    fmt::print(stderr, "stepgate: {} cannot be set back to '{}': {}\n", failure.change.target, failure.change.original,
               failure.error != 0 ? std::strerror(failure.error) : "it was written and reads back otherwise");
  }
  if (recovery.outcome.complete()) return;
  fmt::print(stderr, "  next: as root, sudo stepgate recover; the journal is kept in {}\n",
             recovery.state_folder.string());
}

}  // namespace stepgate
