// Values of options that no command can work with.
#pragma once

#include "cli/options.h"

namespace stepgate {

/// Throws Error(usage) naming the first flag whose value makes no sense, and what would.
void check_options(const Options& options);

}  // namespace stepgate
