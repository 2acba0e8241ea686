#include "support/resample.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace stepgate {
namespace {

constexpr std::int64_t weight_bits = 11;
constexpr std::int64_t one = std::int64_t{1} << weight_bits;

/// The input of one output row or column: between two input ones, `weight`/2048 of the way to the second.
struct Tap {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t weight = 0;
};

/// Output pixel i reads input (i + 1/2) * from / to - 1/2, limited to the crop.
std::vector<Tap> taps_of(std::int64_t from, std::int64_t to) {
  std::vector<Tap> taps;
  taps.reserve(static_cast<std::size_t>(to));
  for (std::int64_t i = 0; i < to; ++i) {
    const std::int64_t centre = (2 * i + 1) * from * (one / 2) / to - one / 2;
    const std::int64_t at = std::clamp(centre, std::int64_t{0}, (from - 1) * one);
    const std::int64_t first = at >> weight_bits;
    taps.push_back({first, std::min(first + 1, from - 1), at & (one - 1)});
  }
  return taps;
}

void check(const RgbImage& image, const Crop& crop, std::int64_t side) {
  const bool inside = crop.left >= 0 && crop.top >= 0 && crop.width > 0 && crop.height > 0 &&
                      crop.left + crop.width <= image.width && crop.top + crop.height <= image.height;
  if (inside && side > 0) return;
  throw std::invalid_argument("no crop of " + std::to_string(crop.width) + " x " + std::to_string(crop.height) +
                              " at " + std::to_string(crop.left) + ", " + std::to_string(crop.top) + " to " +
                              std::to_string(side) + " pixels in an image of " + std::to_string(image.width) + " x " +
                              std::to_string(image.height));
}

}  // namespace

RgbImage resample(const RgbImage& image, const Crop& crop, std::int64_t side) {
  check(image, crop, side);
  const std::vector<Tap> rows = taps_of(crop.height, side);
  std::vector<Tap> columns = taps_of(crop.width, side);
  if (crop.mirrored) std::ranges::reverse(columns);
  RgbImage small{.width = side, .height = side, .pixels = {}};
  small.pixels.resize(static_cast<std::size_t>(3 * side * side));
  std::uint8_t* to = small.pixels.data();
  for (const Tap& row : rows) {
    const std::uint8_t* upper = image.pixels.data() + 3 * ((crop.top + row.first) * image.width + crop.left);
    const std::uint8_t* lower = image.pixels.data() + 3 * ((crop.top + row.second) * image.width + crop.left);
    for (const Tap& column : columns) {
      for (std::int64_t colour = 0; colour < 3; ++colour) {
        const std::int64_t left = 3 * column.first + colour;
        const std::int64_t right = 3 * column.second + colour;
        const std::int64_t above = upper[left] * (one - column.weight) + upper[right] * column.weight;
        const std::int64_t below = lower[left] * (one - column.weight) + lower[right] * column.weight;
        const std::int64_t value = above * (one - row.weight) + below * row.weight;
        *to++ = static_cast<std::uint8_t>((value + one * one / 2) >> (2 * weight_bits));
      }
    }
  }
  return small;
}

}  // namespace stepgate
