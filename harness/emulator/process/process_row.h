// Other processes of the host.
#pragma once

#include <optional>
#include <string>

namespace stepgate::emulator {

/// A process as /proc shows it.
struct ProcessRow {
  int pid = 0;
  int parent = 0;       ///< 0 for the first one
  std::string program;  ///< its name, cut by the kernel
  bool has_ended = false;
};

/// Absent where there is no such process.
std::optional<ProcessRow> process_row(int pid);

}  // namespace stepgate::emulator
