// The output of a program that answers a question and measures nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// Stdout and stderr of `command`, kept in the file `output`; absent where it does not end with status 0 within 30 s,
/// or before a signal comes (system/stop_signal.h).
std::optional<std::string> program_output(const std::vector<std::string>& command, const std::filesystem::path& output);

}  // namespace stepgate
