#include "vision/size_numbers.h"

namespace stepgate {

std::vector<NamedNumber> numbers_of(LoaderShape& loader) {
  // 2: batch norm needs more than one sample if an image has only one pixel.
  return {{.name = "batch_size", .value = &loader.batch_size, .least = 2},
          {.name = "loader_workers", .value = &loader.workers, .least = 0, .most = 1024},
          {.name = "prefetch_batches", .value = &loader.prefetch_batches},
          {.name = "pin", .value = &loader.pinned, .least = 0, .most = 1}};
}

std::vector<NamedNumber> numbers_of(ConvNetSize& net) {
  // Eight stages shrink an image by a factor of 128 and widen it by the same factor: more is surely an error.
  return {{.name = "width", .value = &net.width, .most = 65536},
          {.name = "stages", .value = &net.stages, .most = 8},
          {.name = "blocks", .value = &net.blocks, .most = 1024}};
}

}  // namespace stepgate
