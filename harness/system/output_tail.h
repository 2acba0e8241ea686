// The end of what a process printed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace stepgate {

/// The last lines of a file, at most `lines` and at most 16 KiB of them; "" where there is nothing to read. Bytes that
/// a text file should not hold are replaced by '?', so that the tail fits into JSON whatever was printed.
std::string output_tail(const std::filesystem::path& path, std::size_t lines = 40);

}  // namespace stepgate
