#include "system/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "system/descriptor.h"

namespace stepgate {
namespace {

std::string text_of(int error_number) { return std::generic_category().message(error_number); }

std::string remedy_of(int error_number, const std::filesystem::path& folder) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return fmt::format("free some space on the file system of {} (df -h {})", folder.string(), folder.string());
    case EACCES:
    case EPERM:
      return fmt::format("make {} readable and writable for this user, or choose another folder", folder.string());
    case EROFS:
      return fmt::format("{} is on a read-only file system: choose another folder", folder.string());
    case EFBIG:
      return "raise the limit on file sizes: ulimit -f unlimited";
    case ENOTDIR:
    case EEXIST:
      return fmt::format("a part of {} is a file and not a folder: move it away, or choose another folder",
                         folder.string());
    case EISDIR:
      return "name a file, not a folder";
    case ENOENT:
      return fmt::format("check the path; ls {} shows what is there", folder.string());
    default:
      return fmt::format("check {} and try again", folder.string());
  }
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, std::string_view step, int error_number) {
  throw Error(ErrorKind::measure, fmt::format("{}: {}: {}", path.string(), step, text_of(error_number)),
              remedy_of(error_number, folder_of(path)));
}

Descriptor open_retrying(const std::filesystem::path& path, int flags) {
  int number = -1;
  do {
    number = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (number < 0 && errno == EINTR);
  return Descriptor(number);
}

/// A new file beside `target` that takes its place when all is written. The destructor removes it where that failed.
class TemporaryFile {
 public:
  /// The name is short whatever the target's is, and O_EXCL makes the file this process's alone.
  explicit TemporaryFile(const std::filesystem::path& target) : target_(target) {
    for (int attempt = 0; !file_.is_open(); ++attempt) {
      path_ = folder_of(target) / fmt::format(".stepgate-{}-{}.tmp", ::getpid(), attempt);
      file_ = open_retrying(path_, O_WRONLY | O_CREAT | O_EXCL);
      if (!file_.is_open() && errno != EEXIST) fail_to_write(target, "cannot create a temporary file beside it", errno);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  /// Takes the permissions of `model`, where it exists.
  void set_permissions_of(const std::filesystem::path& model) const {
    struct stat existing {};
    if (::stat(model.c_str(), &existing) != 0) return;
    if (::fchmod(file_.number(), existing.st_mode & 07777) != 0)
      fail_to_write(target_, "cannot set permissions", errno);
  }

  void write(std::string_view text) const { require("cannot write", write_whole(file_, text)); }

  void replace_target() {
    require("cannot flush to disk", sync_to_disk(file_));
    require("cannot close", file_.close_checked());
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail_to_write(target_, "cannot replace it", errno);
    path_.clear();
    // Without this a crash of the machine could bring the old file back under this name.
    const Descriptor folder = open_retrying(folder_of(target_), O_RDONLY | O_DIRECTORY);
    if (!folder.is_open()) fail_to_write(target_, "cannot open its folder to flush it", errno);
    require("cannot flush its folder to disk", sync_to_disk(folder));
  }

 private:
  void require(std::string_view step, int error) const {
    if (error != 0) fail_to_write(target_, step, error);
  }

  const std::filesystem::path& target_;
  std::filesystem::path path_;
  Descriptor file_;
};

void create_folder_of(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(folder_of(path), error);
  if (error) fail_to_write(path, "cannot create its folder", error.value());
}

/// Reads the whole file in pieces. False where it does not exist.
template <typename Sink>
bool read_pieces(const std::filesystem::path& path, ErrorKind kind, const Sink& sink) {
  const auto fail = [&](int error_number) {
    throw Error(kind, fmt::format("{}: cannot read: {}", path.string(), text_of(error_number)),
                remedy_of(error_number, folder_of(path)));
  };
  const Descriptor file = open_retrying(path, O_RDONLY);
  if (!file.is_open() && errno == ENOENT) return false;
  if (!file.is_open()) fail(errno);
  std::array<char, 65536> piece{};
  while (true) {
    const ssize_t got = ::read(file.number(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) return true;
    sink(std::string_view(piece.data(), static_cast<std::size_t>(got)));
  }
}

[[noreturn]] void fail_missing(const std::filesystem::path& path, ErrorKind kind) {
  throw Error(kind, fmt::format("{}: no such file", path.string()), remedy_of(ENOENT, folder_of(path)));
}

}  // namespace

std::optional<std::string> read_text_file_if_present(const std::filesystem::path& path, ErrorKind kind) {
  std::string text;
  const bool found = read_pieces(path, kind, [&](std::string_view piece) { text += piece; });
  return found ? std::optional(std::move(text)) : std::nullopt;
}

std::string read_text_file(const std::filesystem::path& path, ErrorKind kind) {
  std::optional<std::string> text = read_text_file_if_present(path, kind);
  if (!text) fail_missing(path, kind);
  return *std::move(text);
}

void read_file_in_pieces(const std::filesystem::path& path, ErrorKind kind,
                         const std::function<void(std::string_view)>& piece) {
  if (!read_pieces(path, kind, piece)) fail_missing(path, kind);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  create_folder_of(path);
  TemporaryFile temporary(path);
  temporary.set_permissions_of(path);
  temporary.write(text);
  temporary.replace_target();
}

void copy_file_atomically(const std::filesystem::path& from, const std::filesystem::path& to) {
  create_folder_of(to);
  TemporaryFile temporary(to);
  temporary.set_permissions_of(from);
  read_file_in_pieces(from, ErrorKind::usage, [&](std::string_view piece) { temporary.write(piece); });
  temporary.replace_target();
}

}  // namespace stepgate
