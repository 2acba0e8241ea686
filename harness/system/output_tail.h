// The end of a process's output.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace stepgate {

/// The last lines of a file, at most `lines` and at most 16 KiB of them; "" where there is nothing to read. Bytes
/// that are not plain text become '?', so that the tail is always valid in JSON.
std::string output_tail(const std::filesystem::path& path, std::size_t lines = 40);

}  // namespace stepgate
