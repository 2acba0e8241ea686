#include "support/gzip.h"

#include <zlib.h>

#include <array>
#include <memory>

#include "support/data_files.h"

namespace stepgate {
namespace {

constexpr int gzip_window_bits = 16 + MAX_WBITS;  // zlib's code for a gzip header only

[[noreturn]] void refuse(const char* why) { throw DataError(std::string("gzip data: ") + why); }

}  // namespace

std::string unpack_gzip(std::string_view packed) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window_bits) != Z_OK) refuse("zlib could not start");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> ended(&stream, &inflateEnd);
  // zlib's interface has no const; it does not write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string unpacked;
  std::array<char, 1U << 16U> piece;
  for (;;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    unpacked.append(piece.data(), piece.size() - stream.avail_out);
    if (state == Z_STREAM_END) return unpacked;
    if (state == Z_BUF_ERROR) refuse("ends early");
    if (state != Z_OK) refuse(stream.msg == nullptr ? "damaged" : stream.msg);
  }
}

}  // namespace stepgate
