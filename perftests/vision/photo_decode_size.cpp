#include "vision/photo_decode_size.h"

#include "vision/size_numbers.h"

namespace stepgate {
namespace {

constexpr std::int64_t classes = 2 * photo_quadrants;

/// Every field by its name: one list for reading and writing.
std::vector<NamedNumber> numbers_of(PhotoDecodeSize& size) {
  std::vector<NamedNumber> numbers = numbers_of(size.loader);
  for (const NamedNumber& number : numbers_of(size.net)) numbers.push_back(number);
  numbers.push_back({.name = "image", .value = &size.photo.side, .most = 4096});
  numbers.push_back({.name = "crops", .value = &size.photo.crops});
  return numbers;
}

}  // namespace

PhotoDecodeSize tiny_photo_decode() {
  return {.net = {.channels = 3, .classes = classes, .width = 8, .stages = 2, .blocks = 1},
          .loader = {.batch_size = 4, .workers = 1, .prefetch_batches = 2},
          .photo = {.crops = 2048, .side = 24}};
}

PhotoDecodeSize full_photo_decode() {
  return {.net = {.channels = 3, .classes = classes, .width = 64, .stages = 4, .blocks = 2},
          .loader = {.batch_size = 128, .workers = 8, .prefetch_batches = 16, .pinned = 1},
          .photo = {.crops = 32768, .side = 224}};
}

PhotoDecodeSize gpu_small_photo_decode() {
  return {.net = {.channels = 3, .classes = classes, .width = 32, .stages = 4, .blocks = 2},
          .loader = {.batch_size = 32, .workers = 4, .prefetch_batches = 8, .pinned = 1},
          .photo = {.crops = 8192, .side = 128}};
}

std::map<std::string, std::string> params_of(const PhotoDecodeSize& size) {
  PhotoDecodeSize copy = size;
  return params_of(numbers_of(copy));
}

PhotoDecodeSize with_params(PhotoDecodeSize size, const std::map<std::string, std::string>& params) {
  set_params("photo_decode", numbers_of(size), params);
  return size;
}

}  // namespace stepgate
