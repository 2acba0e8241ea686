#include "system/files/gzip_input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <utility>

#include "system/files/file_error.h"
#include "system/files/regular_file.h"

namespace stepgate {
namespace {

constexpr unsigned compressed_piece_bytes = 256U << 10U;

Descriptor opened(const std::filesystem::path& path, ErrorKind kind) {
  OpenedFile file = open_regular_file(path, O_RDONLY);
  if (!file.descriptor.is_open()) throw error_of(file, kind, path, "cannot read");
  return std::move(file.descriptor);
}

}  // namespace

struct GzipInput::Stream {
  gzFile file = nullptr;
};

GzipInput::GzipInput(const std::filesystem::path& path, ErrorKind kind)
    : path_(path), kind_(kind), stream_(std::make_unique<Stream>()) {
  const Descriptor file = opened(path, kind);
  const int own = ::fcntl(file.number(), F_DUPFD_CLOEXEC, 0);  // zlib closes its descriptor itself
  if (own < 0) throw file_error(kind, {path, "cannot read", errno});
  stream_->file = ::gzdopen(own, "rb");
  if (stream_->file == nullptr) {
    ::close(own);
    throw file_error(kind, {path, "cannot read", ENOMEM});
  }
  ::gzbuffer(stream_->file, compressed_piece_bytes);
}

GzipInput::~GzipInput() {
  if (stream_->file != nullptr) ::gzclose(stream_->file);
}

std::size_t GzipInput::read(std::span<char> piece) {
  const int got = ::gzread(stream_->file, piece.data(), static_cast<unsigned>(piece.size()));
  int code = Z_OK;
  const char* says = ::gzerror(stream_->file, &code);
  if (code == Z_ERRNO) throw file_error(kind_, {path_, "cannot read", errno});
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    const std::string_view what =
        code == Z_BUF_ERROR ? "the compressed file is cut off" : "the compressed data are damaged";
    throw Error(kind_, fmt::format("{}: {} after {} bytes of text ({})", path_.string(), what, position_, says),
                "copy or record the file again; gzip -t FILE checks it");
  }
  position_ += static_cast<std::uint64_t>(got);
  return static_cast<std::size_t>(got);
}

}  // namespace stepgate
