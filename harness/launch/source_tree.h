// Files of the source tree that debug information names. A program may name anything there, so nothing else is opened.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

/// Longer files are not read: no source that a person wrote has so much.
inline constexpr std::size_t most_source_bytes = std::size_t{16} << 20U;

/// The longest end of `path`, a folder and a name at least, that is a file below `source_root`: a shared compiler cache
/// keeps the paths of the checkout that compiled first. Empty where there is none.
std::filesystem::path tail_within(const std::filesystem::path& path, const std::filesystem::path& source_root);

/// The lines of the source `file`, by its own path or its tail. Empty where that leads, links followed, out of
/// `source_root` or to no regular file, where it is larger than most_source_bytes, and where `source_root` is unknown
/// (""). Never waits, never throws.
std::vector<std::string> lines_of_source(const std::filesystem::path& file, const std::filesystem::path& source_root);

}  // namespace stepgate
