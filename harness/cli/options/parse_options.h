// From the command line and the environment to the options of one command. Nothing else knows Boost.Program_options.
#pragma once

#include <optional>
#include <string>

#include "cli/command_call.h"
#include "cli/options/general.h"

namespace stepgate {

struct CommandLine {
  std::string command;  ///< "gate", "baseline accept", ...
  General general;
  std::optional<CommandCall> call;  ///< its options are set; absent if `command` does not run
};

/// Reads argv, and the STEPGATE_* variables of the options that the command takes (a flag wins over its variable).
/// `stepgate help COMMAND` and `stepgate COMMAND -h` are read as `stepgate COMMAND --help`. Throws Error(usage) that
/// names the flag or variable, what it accepts, and the nearest name of one that does not exist.
CommandLine parse_options(int argc, const char* const* argv);

}  // namespace stepgate
