#include "system/files/first_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "system/files/file.h"
#include "system/files/file_error.h"

namespace stepgate {
namespace {

/// No other process on any machine that shares the folder uses this name.
std::filesystem::path part_file_of(const std::filesystem::path& path) {
  std::array<char, 256> host{};
  static_cast<void>(::gethostname(host.data(), host.size() - 1));
  return path.parent_path() / fmt::format(".{}.{}-{}.part", path.filename().string(), host.data(), ::getpid());
}

}  // namespace

bool write_first_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path part = part_file_of(path);
  write_file_atomically(part, text);
  const int error = ::link(part.c_str(), path.c_str()) == 0 ? 0 : errno;
  std::error_code left;
  std::filesystem::remove(part, left);
  if (error == 0) return true;
  if (error == EEXIST) return false;
  throw file_error(ErrorKind::measure, {path, "cannot link", error});
}

}  // namespace stepgate
