// Opens regular files and nothing else. A FIFO, a device or a terminal in the place of a file would block for ever.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

#include "core/error.h"
#include "system/descriptor.h"

namespace stepgate {

/// Exactly one of the three says something.
struct OpenedFile {
  Descriptor descriptor = {};
  int error = 0;             ///< errno of what failed; EISDIR for a folder
  std::string_view is = "";  ///< what stands there in the place of a regular file: "a FIFO"
};

/// `flags` as of open(2); with O_NOFOLLOW a symbolic link is refused (ELOOP). Never waits, never becomes the terminal
/// of this process, and closes on exec. A device is not even opened.
OpenedFile open_regular_file(const std::filesystem::path& path, int flags, mode_t mode = 0666);

/// A new, empty file in the place of a file, a FIFO or a link of that name; what the link leads to stays as it is. A
/// folder or a device of that name is not removed.
OpenedFile create_own_file(const std::filesystem::path& path, int flags);

/// Why `opened` holds no descriptor, as an error with a remedy. `step` is e.g. "cannot read".
Error error_of(const OpenedFile& opened, ErrorKind kind, const std::filesystem::path& path, std::string_view step);

}  // namespace stepgate
