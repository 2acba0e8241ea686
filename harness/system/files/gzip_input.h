// Reads a file that may be compressed by gzip, piece by piece: the text of a trace is seventeen times as large as its
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "core/error.h"

namespace stepgate {

class GzipInput {
 public:
  /// Opens a regular file. Whether it is compressed is seen from its first bytes, not from its name. Throws
  /// Error(`kind`) naming a file that is missing, cannot be read, or is a FIFO, a device, a socket or a folder.
  GzipInput(const std::filesystem::path& path, ErrorKind kind);
  ~GzipInput();
  GzipInput(const GzipInput&) = delete;
  GzipInput& operator=(const GzipInput&) = delete;

  /// Fills the front of `piece` and returns how many bytes that are; 0 at the end. Throws Error(kind) where the
  /// compressed data are damaged or end too early, with the number of bytes that were read until then.
  std::size_t read(std::span<char> piece);

  /// Bytes of text so far.
  std::uint64_t position() const { return position_; }

 private:
  struct Stream;
  std::filesystem::path path_;
  ErrorKind kind_;
  std::unique_ptr<Stream> stream_;
  std::uint64_t position_ = 0;
};

}  // namespace stepgate
