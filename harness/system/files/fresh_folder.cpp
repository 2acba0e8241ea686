#include "system/files/fresh_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "system/files/same_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A folder and why it could not be locked: 0 where it is.
struct LockedFolder {
  Descriptor folder;
  int error = 0;
};

LockedFolder lock_folder(const fs::path& path) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  LockedFolder locked{.folder = Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags); }))};
  if (!locked.folder.is_open()) return {.folder = {}, .error = errno};
  if (uninterrupted([&] { return ::flock(locked.folder.number(), LOCK_EX | LOCK_NB); }) != 0) locked.error = errno;
  return locked;
}

/// In /tmp anybody can make a folder with such a name.
bool is_of_this_user(const Descriptor& folder) {
  struct stat opened {};
  return ::fstat(folder.number(), &opened) == 0 && opened.st_uid == ::geteuid();
}

/// Another process can take a folder for unused between its making and its lock, and remove it: then the next one is
/// made. A file system without such locks has none to lose.
bool is_taken(const LockedFolder& locked, const fs::path& path) {
  if (locked.error == EWOULDBLOCK || locked.error == ENOENT) return false;
  return locked.error != 0 || is_still_named(locked.folder, path);
}

fs::path common_part(const fs::path& beside, std::string_view kind) {
  return fs::absolute(beside).string() + fmt::format(".{}-", kind);
}

fs::path make_folder(const fs::path& name) {
  std::string pattern = name.string() + "XXXXXX";
  if (::mkdtemp(pattern.data()) != nullptr) return pattern;
  throw Error(ErrorKind::measure, fmt::format("cannot make the folder {}: {}", pattern, std::strerror(errno)),
              "give a record in a folder that can be written");
}

}  // namespace

void remove_unused_folders(const fs::path& beside, std::string_view kind) {
  const fs::path name = common_part(beside, kind);
  const std::string prefix = name.filename().string();
  std::error_code ignored;
  for (fs::directory_iterator at(name.parent_path(), ignored), end; at != end; at.increment(ignored)) {
    if (!at->path().filename().string().starts_with(prefix)) continue;
    const LockedFolder unused = lock_folder(at->path());
    if (unused.error == 0 && is_of_this_user(unused.folder)) fs::remove_all(at->path(), ignored);
  }
}

FreshFolder::FreshFolder(const fs::path& beside, std::string_view kind) {
  remove_unused_folders(beside, kind);
  for (bool is_ours = false; !is_ours;) {
    path_ = make_folder(common_part(beside, kind));
    LockedFolder locked = lock_folder(path_);
    is_ours = is_taken(locked, path_);
    in_use_ = std::move(locked.folder);
  }
}

FreshFolder::~FreshFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace stepgate
