#include "system/files/inner_path.h"

#include <fmt/format.h>

#include <system_error>

namespace stepgate {

namespace fs = std::filesystem;

void refuse_links_below(const fs::path& root, const fs::path& file, ErrorKind kind) {
  fs::path at = root;
  for (const fs::path& part : file.lexically_relative(root)) {
    at /= part;
    std::error_code missing;
    if (fs::symlink_status(at, missing).type() != fs::file_type::symlink) continue;
    throw Error(
        kind, fmt::format("{}: it is a symbolic link, and links below {} are not followed", at.string(), root.string()),
        "put the folder or the file itself in its place");
  }
}

}  // namespace stepgate
