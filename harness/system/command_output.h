// What a small command prints. It never outlives its limits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// What a command reads on stdin, and what it may take. At a limit it is killed, with its process group, and with what
/// it started in other groups and sessions as far as the processes between them live.
struct CommandInput {
  std::string text = {};   ///< "": stdin is empty
  double patience_s = 30;  ///< git answers within milliseconds, within seconds from a cold disk
  std::size_t most_bytes = std::size_t{1} << 20U;
  std::optional<std::size_t> most_memory_bytes = std::nullopt;  ///< address space; absent: no limit
  bool ends_on_signal = true;  ///< a limit too: a signal that comes meanwhile (system/stop_signal.h)
};

struct CommandEnd {
  std::optional<int> status;  ///< absent where it did not run, a signal ended it, or a limit
  std::string printed;        ///< on stdout, up to the limit
};

/// Runs the command: a process group of its own, which Ctrl-C does not reach, and which dies with the calling thread as
/// far as its first process goes. PATH is searched for command[0]; stderr is dropped. Waits for its end, and not for
/// what it started and left behind. Throws Error(measure) where no process can be made.
CommandEnd run_command(const std::vector<std::string>& command, const CommandInput& input);

/// What it prints, "" where it cannot run.
std::string command_output(const std::vector<std::string>& command, const CommandInput& input = {});

}  // namespace stepgate
