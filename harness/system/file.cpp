#include "system/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

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

/// Closes its descriptor when it goes.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  /// 0, or the errno of close(): network file systems report a full disk only here.
  int close_now() {
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 || errno == EINTR ? 0 : errno;
  }

 private:
  int number_;
};

int open_retrying(const std::filesystem::path& path, int flags) {
  int result = -1;
  do {
    result = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (result < 0 && errno == EINTR);
  return result;
}

/// Removes its file when it goes, unless the file was renamed.
class TemporaryFile {
 public:
  /// The name is short whatever the target's is, and O_EXCL makes it this process's alone.
  explicit TemporaryFile(const std::filesystem::path& target) : descriptor_(-1) {
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      path_ = folder_of(target) / fmt::format(".stepgate-{}-{}.tmp", ::getpid(), attempt);
      descriptor_ = open_retrying(path_, O_WRONLY | O_CREAT | O_EXCL);
      if (descriptor_ < 0 && errno != EEXIST) fail_to_write(target, "cannot create a temporary file beside it", errno);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  int descriptor() const { return descriptor_; }

  void rename_to(const std::filesystem::path& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) fail_to_write(target, "cannot replace it", errno);
    path_.clear();
  }

 private:
  std::filesystem::path path_;
  int descriptor_;
};

void write_all(int descriptor, std::string_view text, const std::filesystem::path& target) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(target, "cannot write", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync(int descriptor, const std::filesystem::path& target) {
  int result = -1;
  do {
    result = ::fsync(descriptor);
  } while (result != 0 && errno == EINTR);
  // EINVAL: this file system has no fsync for such a descriptor (some do not for folders); nothing is left to do.
  if (result != 0 && errno != EINVAL) fail_to_write(target, "cannot flush to disk", errno);
}

void keep_permissions(int descriptor, const std::filesystem::path& target) {
  struct stat existing {};
  if (::stat(target.c_str(), &existing) != 0) return;
  if (::fchmod(descriptor, existing.st_mode & 07777) != 0) fail_to_write(target, "cannot set permissions", errno);
}

void create_folder_of(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(folder_of(path), error);
  if (error) fail_to_write(path, "cannot create its folder", error.value());
}

}  // namespace

std::optional<std::string> read_text_file_if_present(const std::filesystem::path& path, ErrorKind kind) {
  const auto fail = [&](int error_number) {
    throw Error(kind, fmt::format("{}: cannot read: {}", path.string(), text_of(error_number)),
                remedy_of(error_number, folder_of(path)));
  };
  Descriptor file(open_retrying(path, O_RDONLY));
  if (file.number() < 0 && errno == ENOENT) return std::nullopt;
  if (file.number() < 0) fail(errno);
  std::string text;
  std::array<char, 65536> block{};
  while (true) {
    const ssize_t got = ::read(file.number(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

std::string read_text_file(const std::filesystem::path& path, ErrorKind kind) {
  std::optional<std::string> text = read_text_file_if_present(path, kind);
  if (!text) {
    throw Error(kind, fmt::format("{}: no such file", path.string()), remedy_of(ENOENT, folder_of(path)));
  }
  return *std::move(text);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  create_folder_of(path);
  TemporaryFile temporary(path);
  {
    Descriptor file(temporary.descriptor());
    keep_permissions(file.number(), path);
    write_all(file.number(), text, path);
    sync(file.number(), path);
    if (const int error = file.close_now(); error != 0) fail_to_write(path, "cannot close", error);
  }
  temporary.rename_to(path);
  // Without this a crash of the machine could bring the old name back, whole but old.
  Descriptor folder(open_retrying(folder_of(path), O_RDONLY | O_DIRECTORY));
  if (folder.number() < 0) fail_to_write(path, "cannot open its folder to flush it", errno);
  sync(folder.number(), path);
}

}  // namespace stepgate
