// What a small command prints.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// What a command reads on stdin, and how much of it is waited for.
struct CommandInput {
  std::optional<std::string> text = std::nullopt;  ///< absent: stdin is the caller's
  double patience_s = 30;                          ///< git answers within milliseconds, within seconds from a cold disk
  std::size_t most_bytes = std::size_t{1} << 20U;
};

/// What the command prints on stdout, `most_bytes` at most, within `patience_s`; else as below.
/// Throws Error(measure) where no process or pipe can be made.
std::string command_output(const std::vector<std::string>& command, const CommandInput& input);

/// What the command prints on stdout, 1 MiB at most; stderr is dropped. PATH is searched for command[0]. "" where it
/// cannot run. Waits for its end, 30 s at most, and not for what it started and left behind.
std::string command_output(const std::vector<std::string>& command);

}  // namespace stepgate
