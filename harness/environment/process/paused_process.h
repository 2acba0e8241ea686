// A process identified by "pid starttime", so that a later process with the same number is never mistaken for it.
#pragma once

#include <optional>
#include <string>

#include "environment/host_files/host_files.h"

namespace stepgate {

struct ProcessIdentity {
  int pid = 0;
  std::string start_ticks;  ///< field 22 of /proc/<pid>/stat
  char state = '?';         ///< field 3: 'R', 'S', 'T', ...
};

/// From /proc/<pid>/stat, whose name field may hold blanks and parentheses. Absent where no such process lives.
std::optional<ProcessIdentity> process_identity(const HostFiles& files, int pid);

/// "stopped" or "running"; absent where the process of `target` ("pid starttime") is gone.
std::optional<std::string> state_of(const HostFiles& files, const std::string& target);

/// SIGSTOP, and up to a second for it to arrive: a process stops only once it is scheduled. Returns errno.
int stop_same_process(HostFiles& files, const std::string& target);

/// Returns errno: ESRCH where the process of `target` is gone, whoever has its number now.
int signal_same_process(HostFiles& files, const std::string& target, int number);

}  // namespace stepgate
