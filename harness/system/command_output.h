// What a small command prints.
#pragma once

#include <string>
#include <vector>

namespace stepgate {

/// What the command prints on stdout, 1 MiB at most; stderr is dropped. PATH is searched for command[0]. "" where it
/// cannot run. Waits for its end, 30 s at most, and not for what it started and left behind.
std::string command_output(const std::vector<std::string>& command);

}  // namespace stepgate
