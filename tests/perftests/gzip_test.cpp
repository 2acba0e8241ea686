#include "support/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "support/data_files.h"

namespace stepgate {
namespace {

std::string packed(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i * 7919 % 10'007) + "\n";
  return text;
}

TEST(Gzip, GivesBackWhatWasPacked) {
  const std::string text = long_text();
  ASSERT_GT(text.size(), 1U << 17U) << "more than one piece of the buffer";
  EXPECT_EQ(unpack_gzip(packed(text)), text);
  EXPECT_EQ(unpack_gzip(packed("")), "");
}

TEST(Gzip, RefusesWhatIsNoWholeGzipFile) {
  const std::string whole = packed(long_text());
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
  EXPECT_THROW(unpack_gzip(damaged), DataError);
  EXPECT_THROW(unpack_gzip(std::string_view(whole).substr(0, whole.size() / 2)), DataError);
  EXPECT_THROW(unpack_gzip(std::string_view(whole).substr(0, whole.size() - 1)), DataError) << "its checksum is cut";
  EXPECT_THROW(unpack_gzip("no gzip at all"), DataError);
  EXPECT_THROW(unpack_gzip(""), DataError);
}

}  // namespace
}  // namespace stepgate
