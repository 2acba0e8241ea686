// One rank's process, from fork to exec.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace stepgate {

struct RankStart {
  std::vector<std::string> command;
  std::vector<int> cpus;  ///< empty: unchanged
  std::vector<int> kept;  ///< descriptors that it keeps through exec
  int output = -1;        ///< becomes its stdout and stderr
};

/// The child dies with the calling thread. It exits with status 127 where the program cannot be executed.
/// Throws Error(measure) where no process can be made.
pid_t start_rank(const RankStart& start);

}  // namespace stepgate
