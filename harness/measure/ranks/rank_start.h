// Starts the process of one rank.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace stepgate {

struct RankStart {
  std::vector<std::string> command;
  std::vector<std::string> variables = {};  ///< "NAME=value" that it gets on top of the environment, or instead
  std::vector<int> cpus;                    ///< empty: unchanged
  std::vector<int> kept;                    ///< descriptors that it keeps under their numbers
  int output = -1;                          ///< becomes its stdout and stderr
};

/// The process dies with the calling thread. Throws Error(measure) where it cannot be made or the program cannot run.
pid_t start_rank(const RankStart& start);

}  // namespace stepgate
