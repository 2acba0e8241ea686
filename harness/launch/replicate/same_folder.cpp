#include "launch/replicate/same_folder.h"

#include <fmt/format.h>

#include "core/error.h"
#include "system/files/same_file.h"

namespace stepgate {

SameFolder::SameFolder(const std::filesystem::path& path) : path_(path) { ::stat(path.c_str(), &before_); }

void SameFolder::require() const {
  struct stat now {};
  if (::stat(path_.c_str(), &now) == 0 && is_same_file(now, before_)) return;
  throw Error(
      ErrorKind::measure,
      fmt::format("{}: it is gone, or another folder stands in its place, since the last process ran", path_.string()),
      "find out whether the measured program or somebody else moved it, then measure again");
}

}  // namespace stepgate
