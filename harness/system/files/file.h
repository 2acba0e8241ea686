// Reads and writes whole files. After a failed or interrupted write the old file is still there, complete.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "system/descriptor.h"

namespace stepgate {

/// Longer texts are refused: 128 MiB, the largest that a document may have (json/schema_version.h).
inline constexpr std::size_t most_text_bytes = std::size_t{128} << 20U;

/// The file's bytes. Throws Error(`kind`) naming the file where it is missing, cannot be read, is larger than
/// most_text_bytes, or is a FIFO, a device or a socket: reading never waits.
std::string read_text_file(const std::filesystem::path& path, ErrorKind kind = ErrorKind::usage);

/// As read_text_file, but absent where no such file exists. A file that exists and cannot be read still throws.
std::optional<std::string> read_text_file_if_present(const std::filesystem::path& path,
                                                     ErrorKind kind = ErrorKind::usage);

/// The rest of an open file; `path` names it in errors. Throws as read_text_file.
std::string read_open_file(const Descriptor& file, const std::filesystem::path& path, ErrorKind kind);

/// Hands the file's bytes to `piece`, in pieces of at most 64 KiB. Throws as read_text_file; the size has no limit.
void read_file_in_pieces(const std::filesystem::path& path, ErrorKind kind,
                         const std::function<void(std::string_view)>& piece);

/// Replaces `path` by `text` through a new file in the same folder (system/files/temporary_file.h), fsync, rename and
/// fsync of the folder. Creates missing folders; keeps the permissions of a file that was there. A link of that name is
/// replaced and not followed. For a file that the user names as output, see output_file.h. Throws Error(measure) naming
/// path, cause and remedy; the old file is then whole and the temporary one removed.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// As write_file_atomically, without fsync: for what can be made anew from a file beside it. Readers, and a killed
/// writer, see the old or the new text; after a crash of the machine it may be empty.
void write_derived_file(const std::filesystem::path& path, std::string_view text);

/// Gives the file another name in the same file system, and replaces what has it. Throws Error(measure) naming both.
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// As write_file_atomically, with the bytes and the permissions of the file `from`. Throws Error(usage) where `from`
/// cannot be read.
void copy_file_atomically(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace stepgate
