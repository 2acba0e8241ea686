// Reads and writes whole files. After a failed or interrupted write the old file is still there, complete.
#pragma once

#include <filesystem>
#include <functional>
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

/// Hands the file's bytes to `piece`, in pieces of at most 64 KiB. Throws as read_text_file.
void read_file_in_pieces(const std::filesystem::path& path, ErrorKind kind,
                         const std::function<void(std::string_view)>& piece);

/// Replaces `path` by `text` through a temporary file in the same folder (".stepgate-<pid>-<n>.tmp"), fsync, rename and
/// fsync of the folder. Creates missing folders; keeps the permissions of a file that was there. Throws
/// Error(measure) naming path, cause and remedy; the old file is then whole and the temporary one removed.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// As write_file_atomically, with the bytes and the permissions of the file `from`. Throws Error(usage) where `from`
/// cannot be read.
void copy_file_atomically(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace stepgate
