// The text of a trace, compressed or not, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "json/traces/trace_limits.h"
#include "system/files/gzip_input.h"

namespace stepgate {

class TraceText {
 public:
  /// Throws Error(usage), naming the file, where it cannot be read. So does each function that reads on, also where the
  /// compressed data are damaged or the text is longer than the limit.
  TraceText(std::filesystem::path path, const TraceLimits& limits);

  const std::filesystem::path& path() const { return path_; }
  /// What lies in memory from here on; empty only at the end. It stays valid until something reads behind its end.
  std::string_view ahead() {
    if (at_ == end_) refill();
    return {piece_.data() + at_, end_ - at_};
  }
  /// The next character as an unsigned value, or -1 at the end.
  int peek() {
    if (at_ == end_) refill();
    return at_ == end_ ? -1 : static_cast<int>(static_cast<unsigned char>(piece_[at_]));
  }
  /// Only over what ahead() or peek() showed.
  void skip(std::size_t characters = 1) { at_ += characters; }
  /// Characters so far.
  std::uint64_t position() const { return input_.position() - (end_ - at_); }

 private:
  void refill();

  std::filesystem::path path_;
  std::uint64_t most_bytes_;
  GzipInput input_;
  std::vector<char> piece_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace stepgate
