// What `stepgate --help` and `stepgate COMMAND --help` print.
#pragma once

#include <string>

namespace stepgate {

/// All commands by task for "", those of "baseline" or "history", else one command with the options that it takes.
std::string help_text(const std::string& command);

}  // namespace stepgate
