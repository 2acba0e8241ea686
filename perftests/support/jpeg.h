// Photographs decoded by libjpeg-turbo.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace stepgate {

/// Red, green, blue, row by row from the top left.
struct RgbImage {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> pixels;  ///< 3 * width * height
};

/// Decodes one JPEG file, every time anew. The same bytes on every CPU: tests/perftests compares what libjpeg-turbo's
/// vector instructions give with what its plain C gives, and both with known digests.
/// Throws DataError with the library's words, also where it would only warn. Any thread.
RgbImage decode_jpeg(std::string_view jpeg);

}  // namespace stepgate
