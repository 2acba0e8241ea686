// Writes to a file that the user named as output: a regular file, a link to one, or what takes bytes, like /dev/stdout.
#pragma once

#include <filesystem>
#include <string_view>

namespace stepgate {

/// - A regular file, or none yet: whole or not at all, as write_file_atomically. Symbolic links are followed and stay.
/// - Whatever is stdout or stderr of this process: written there, after what was printed before.
/// - A FIFO, a terminal, /dev/null: written into. It stays what it is.
/// Throws Error(measure) for a folder, a disk, a socket, a FIFO that nobody opens for reading within
/// `output_patience_s`, and a reader that takes nothing for as long. SIGPIPE has to be ignored.
void write_output_file(const std::filesystem::path& path, std::string_view text);

/// Whether the path names stdout or stderr of this process, also by links.
bool is_standard_stream(const std::filesystem::path& path);

inline constexpr double output_patience_s = 5;

}  // namespace stepgate
