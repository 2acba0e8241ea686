// What a small command prints.
#pragma once

#include <string>
#include <vector>

namespace stepgate {

/// All that the command prints on stdout; stderr is dropped. PATH is searched for command[0]. "" where it cannot run.
/// Waits for its end.
std::string command_output(const std::vector<std::string>& command);

}  // namespace stepgate
