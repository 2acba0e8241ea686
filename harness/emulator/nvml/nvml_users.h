// Which processes use an emulated device. A process shows itself by a socket with a name in the kernel's abstract
// namespace, which is gone with the process however it ends, so that no file is left behind.
#pragma once

#include <sys/types.h>

#include <vector>

namespace stepgate::emulator {

/// Shows this process as a user of a device until it is destroyed.
class NvmlPresence {
 public:
  explicit NvmlPresence(int place);
  ~NvmlPresence();
  NvmlPresence(const NvmlPresence&) = delete;
  NvmlPresence& operator=(const NvmlPresence&) = delete;

  /// False where the kernel gave no socket or no name.
  bool is_shown() const { return socket_ >= 0; }

 private:
  int socket_ = -1;
};

/// Numbers of the processes on the device that belong to `asker`: itself, what it started, directly or not, and the
/// other children of its parent, which are the ranks of one run. Two runs beside each other have machines of their own,
/// so their processes are not listed.
std::vector<pid_t> pids_on_device(int place, pid_t asker);

}  // namespace stepgate::emulator
