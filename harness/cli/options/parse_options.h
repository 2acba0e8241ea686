// From the command line and the environment to Options. Nothing else knows Boost.Program_options.
#pragma once

#include "cli/options/options.h"

namespace stepgate {

/// Reads argv, and the STEPGATE_* variables of the options that the command takes (a flag wins over its variable).
/// `stepgate help COMMAND` and `stepgate COMMAND -h` are read as `stepgate COMMAND --help`. Throws Error(usage) that
/// names the flag or variable, what it accepts, and the nearest name of one that does not exist.
Options parse_options(int argc, const char* const* argv);

}  // namespace stepgate
