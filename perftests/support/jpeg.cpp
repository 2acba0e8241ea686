#include "support/jpeg.h"

#include <turbojpeg.h>

#include <memory>
#include <type_traits>

#include "support/data_files.h"

namespace stepgate {
namespace {

struct DestroyHandle {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using Decompressor = std::unique_ptr<std::remove_pointer_t<tjhandle>, DestroyHandle>;

[[noreturn]] void refuse(const Decompressor& decompressor) {
  throw DataError(std::string("JPEG data: ") + tjGetErrorStr2(decompressor.get()));
}

/// ACCURATEDCT: the inverse transform in integers, whose vector code gives the same bits as the scalar code. FASTDCT
/// and FASTUPSAMPLE (which merges upsampling with colour conversion) would give different pixels and so different
/// losses.
constexpr int exact_flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING;

}  // namespace

RgbImage decode_jpeg(std::string_view jpeg) {
  const Decompressor decompressor(tjInitDecompress());
  if (!decompressor) refuse(decompressor);
  const auto* bytes = reinterpret_cast<const unsigned char*>(jpeg.data());
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colours = 0;
  if (tjDecompressHeader3(decompressor.get(), bytes, jpeg.size(), &width, &height, &subsampling, &colours) != 0) {
    refuse(decompressor);
  }
  RgbImage image{.width = width, .height = height, .pixels = {}};
  image.pixels.resize(static_cast<std::size_t>(3 * image.width * image.height));
  if (tjDecompress2(decompressor.get(), bytes, jpeg.size(), image.pixels.data(), width, /*pitch=*/0, height, TJPF_RGB,
                    exact_flags) != 0) {
    refuse(decompressor);
  }
  return image;
}

}  // namespace stepgate
