// Whole files in, whole files out: a written file is the old one or the new one, never half of either.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"

namespace stepgate {

/// The file's bytes. Throws Error(`kind`) naming the file where it is missing or cannot be read.
std::string read_text_file(const std::filesystem::path& path, ErrorKind kind = ErrorKind::usage);

/// As read_text_file, but absent where no such file exists. A file that exists and cannot be read still throws.
std::optional<std::string> read_text_file_if_present(const std::filesystem::path& path,
                                                     ErrorKind kind = ErrorKind::usage);

/// Replaces `path` by `text` through a temporary file in the same folder (".stepgate-<pid>-<n>.tmp"), fsync, rename and
/// fsync of the folder. Creates missing folders; keeps the permissions of a file that was there. Throws
/// Error(measure) naming path, cause and remedy; the old file is then whole and the temporary one removed.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace stepgate
