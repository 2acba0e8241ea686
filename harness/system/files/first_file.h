// A file that only the first of several writers makes, also where they run on different machines.
#pragma once

#include <filesystem>
#include <string_view>

namespace stepgate {

/// Writes `path` whole: a file that nobody else sees, fsync, link(), which fails where `path` exists and is safe on
/// NFS. False where another writer was first: its file stays as it is. Creates missing folders. Throws Error(measure)
/// naming path, cause and remedy.
bool write_first_file(const std::filesystem::path& path, std::string_view text);

}  // namespace stepgate
