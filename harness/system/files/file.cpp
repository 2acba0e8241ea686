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
#include "system/files/temporary_file.h"

namespace stepgate {
namespace {

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

void replace_file(const std::filesystem::path& path, std::string_view text, AfterCrash after_crash) {
  create_folder_of(path);
  TemporaryFile temporary(path);
  std::error_code unknown;
  if (std::filesystem::symlink_status(path, unknown).type() == std::filesystem::file_type::regular) {
    temporary.set_permissions_of(path);
  }
  temporary.write(text);
  temporary.replace_target(after_crash);
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
  replace_file(path, text, AfterCrash::old_or_new);
}

void write_derived_file(const std::filesystem::path& path, std::string_view text) {
  replace_file(path, text, AfterCrash::perhaps_empty);
}

void move_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (uninterrupted([&] { return std::rename(from.c_str(), to.c_str()); }) == 0) return;
  const int error = errno;
  throw file_error(ErrorKind::measure, {to, fmt::format("cannot move {} here", from.string()), error});
}

void copy_file_atomically(const std::filesystem::path& from, const std::filesystem::path& to) {
  create_folder_of(to);
  TemporaryFile temporary(to);
  temporary.set_permissions_of(from);
  read_file_in_pieces(from, ErrorKind::usage, [&](std::string_view piece) { temporary.write(piece); });
  temporary.replace_target();
}

}  // namespace stepgate
