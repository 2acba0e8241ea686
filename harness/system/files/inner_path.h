// Paths that must not leave their folder.
#pragma once

#include <filesystem>

#include "core/error.h"

namespace stepgate {

/// `root` is a folder that the user named, and may be a link. Throws Error(`kind`) where a folder between it and
/// `file`, or `file` itself, is a symbolic link: whoever can plant one would have files read or written elsewhere. What
/// does not exist yet is not a link. `file` begins with `root`.
void refuse_links_below(const std::filesystem::path& root, const std::filesystem::path& file, ErrorKind kind);

}  // namespace stepgate
