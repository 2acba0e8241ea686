#include "system/files/file_error.h"

#include <fmt/format.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::string folder_text(const fs::path& path) { return path.has_parent_path() ? path.parent_path().string() : "."; }

std::string remedy_of(int error, const fs::path& path) {
  const std::string folder = folder_text(path);
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return fmt::format("free some space on the file system of {} (df -h {})", folder, folder);
    case EACCES:
    case EPERM:
      return fmt::format("make {} readable and writable for this user, or choose another folder", folder);
    case EROFS:
      return fmt::format("{} is on a read-only file system: choose another folder", folder);
    case EFBIG:
      return "raise the limit on file sizes: ulimit -f unlimited";
    case ENOTDIR:
    case EEXIST:
      return fmt::format("a part of {} is a file and not a folder: move it away, or choose another folder", folder);
    case EISDIR:
      return fmt::format("{} is a folder: move it away, or name a file", path.string());
    case ENOENT:
      return fmt::format("check the path; ls {} shows what is there", folder);
    case ELOOP:
      return fmt::format("its symbolic links lead in a circle: ls -l {} shows them", path.string());
    case ENAMETOOLONG:
      return "choose a shorter path";
    case EMFILE:
      return "raise the limit of open files of this shell: ulimit -n 4096";
    case ENFILE:
      return "too many files are open on this machine: end other programs, or raise fs.file-max";
    default:
      return fmt::format("check {} and try again", folder);
  }
}

}  // namespace

Error file_error(ErrorKind kind, const FileFailure& failure) {
  return {
      kind,
      fmt::format("{}: {}: {}", failure.path.string(), failure.step, std::generic_category().message(failure.error)),
      remedy_of(failure.error, failure.path)};
}

Error file_error(const fs::filesystem_error& failure) {
  return file_error(ErrorKind::measure, {failure.path1(), "cannot use it", failure.code().value()});
}

}  // namespace stepgate
