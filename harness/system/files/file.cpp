#include "system/files/file.h"

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
#include "system/files/file_error.h"
#include "system/files/regular_file.h"

namespace stepgate {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

[[noreturn]] void fail_to_write(const std::filesystem::path& path, std::string_view step, int error_number) {
  throw file_error(ErrorKind::measure, {path, step, error_number});
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

/// Absent where no such file exists.
std::optional<Descriptor> opened_for_reading(const std::filesystem::path& path, ErrorKind kind) {
  OpenedFile opened = open_regular_file(path, O_RDONLY);
  if (opened.descriptor.is_open()) return std::move(opened.descriptor);
  if (opened.error == ENOENT) return std::nullopt;
  throw error_of(opened, kind, path, "cannot read");
}

/// Reads the rest of the file in pieces.
template <typename Sink>
void read_pieces(const Descriptor& file, const std::filesystem::path& path, ErrorKind kind, const Sink& sink) {
  std::array<char, 65536> piece{};
  while (true) {
    const ssize_t got = ::read(file.number(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw file_error(kind, {path, "cannot read", errno});
    if (got == 0) return;
    sink(std::string_view(piece.data(), static_cast<std::size_t>(got)));
  }
}

[[noreturn]] void fail_missing(const std::filesystem::path& path, ErrorKind kind) {
  const Error missing = file_error(kind, {path, "cannot read", ENOENT});
  throw Error(kind, fmt::format("{}: no such file", path.string()), missing.remedy());
}

/// A sparse file of a terabyte is refused before its first byte is read.
void refuse_too_large(const std::filesystem::path& path, ErrorKind kind, std::uintmax_t bytes) {
  if (bytes <= most_text_bytes) return;
  throw Error(kind, fmt::format("{}: too large: a text may have {} MiB", path.string(), most_text_bytes >> 20U),
              "check what wrote the file; stepgate writes none of this size");
}

}  // namespace

std::string read_open_file(const Descriptor& file, const std::filesystem::path& path, ErrorKind kind) {
  struct stat found {};
  const bool has_size = ::fstat(file.number(), &found) == 0 && found.st_size > 0;
  std::string text;
  if (has_size) refuse_too_large(path, kind, static_cast<std::uintmax_t>(found.st_size));
  if (has_size) text.reserve(static_cast<std::size_t>(found.st_size));
  read_pieces(file, path, kind, [&](std::string_view piece) {
    refuse_too_large(path, kind, text.size() + piece.size());
    text += piece;
  });
  return text;
}

std::optional<std::string> read_text_file_if_present(const std::filesystem::path& path, ErrorKind kind) {
  const auto file = opened_for_reading(path, kind);
  return file ? std::optional(read_open_file(*file, path, kind)) : std::nullopt;
}

std::string read_text_file(const std::filesystem::path& path, ErrorKind kind) {
  std::optional<std::string> text = read_text_file_if_present(path, kind);
  if (!text) fail_missing(path, kind);
  return *std::move(text);
}

void read_file_in_pieces(const std::filesystem::path& path, ErrorKind kind,
                         const std::function<void(std::string_view)>& piece) {
  const auto file = opened_for_reading(path, kind);
  if (!file) fail_missing(path, kind);
  read_pieces(*file, path, kind, piece);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  create_folder_of(path);
  TemporaryFile temporary(path);
  std::error_code unknown;
  if (std::filesystem::symlink_status(path, unknown).type() == std::filesystem::file_type::regular) {
    temporary.set_permissions_of(path);
  }
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
