// A process that used the CPU while something else was measured. For a person at the terminal: names of processes are
// private, and no file that stepgate writes has them.
#pragma once

#include <string>

namespace stepgate {

struct BusyProcess {
  int pid = 0;
  std::string name;          ///< as the kernel has it, at most 15 characters, all printable
  double cpu_fraction = 0;   ///< CPU time by wall time; above 1 with several threads
  int cpu = -1;              ///< where it ran last
  bool on_measured = false;  ///< that CPU is a measured one, or a hardware thread beside one

  bool operator==(const BusyProcess&) const = default;
};

/// "cc1plus (pid 4711): 86 % of a CPU, last on CPU 1"
std::string text_of(const BusyProcess& process);

}  // namespace stepgate
