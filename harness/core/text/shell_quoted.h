// Words of commands that a person copies into a shell.
#pragma once

#include <string>

namespace stepgate {

/// Quotes a word for the shell where it needs it.
std::string shell_quoted(const std::string& word);

}  // namespace stepgate
