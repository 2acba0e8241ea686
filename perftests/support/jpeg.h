// Decodes photographs with libjpeg-turbo.
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

/// Decodes one JPEG file without a cache. It gives the same bytes on every CPU: tests/perftests compares the results of
/// libjpeg-turbo's vector instructions and of its plain C code with known digests. Throws DataError with the library's
/// message, even where the library only warns. Any thread may call it.
RgbImage decode_jpeg(std::string_view jpeg);

}  // namespace stepgate
