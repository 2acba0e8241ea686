// Starts a program. The only place of the harness that forks.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// The program finds the caller's descriptor `from` under `number`.
struct PassedDescriptor {
  int from = -1;
  int number = -1;
};

enum class ProcessGroup {
  of_caller,
  own,
  own_session,  ///< Ctrl-C and the end of the terminal do not reach it
};

struct ProcessStart {
  std::vector<std::string> command;  ///< argv; command[0] is a path, PATH is not searched
  std::optional<std::vector<std::string>> environment = std::nullopt;  ///< "NAME=value"; absent: the caller's
  std::filesystem::path folder = {};                                   ///< where it runs; empty: where the caller runs
  /// All that it gets besides the caller's descriptors 0, 1 and 2, which it keeps unless one of these replaces them.
  std::vector<PassedDescriptor> descriptors = {};
  ProcessGroup group = ProcessGroup::of_caller;
  bool dies_with_caller = false;          ///< SIGKILL when the calling thread ends
  bool keeps_ignored_signals = false;     ///< false: what the caller ignores has its default action again
  std::vector<int> ignored_signals = {};  ///< ignored from the start; no signal is blocked
  /// Runs in the child before its descriptors change. It may only call async-signal-safe functions: it must not
  /// allocate, lock or throw.
  std::function<void()> before_exec = {};
};

/// Why the program did not run.
struct StartFailure {
  std::string step;            ///< e.g. "execute"
  std::filesystem::path path;  ///< the program, or the folder that could not be entered
  int error = 0;               ///< errno
};

/// "cannot execute /x/program: No such file or directory".
std::string text_of(const StartFailure& failure);

struct StartedProcess {
  pid_t pid = 0;                        ///< the caller waits for it; 0 where the program does not run
  std::optional<StartFailure> failure;  ///< absent where the program runs
};

/// Returns once the program runs or cannot run. A child whose program cannot run has been waited for.
/// Throws Error(measure) where no process or pipe can be made, or a descriptor to pass is not open.
StartedProcess start_process(const ProcessStart& start);

}  // namespace stepgate
