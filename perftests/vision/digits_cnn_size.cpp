#include "vision/digits_cnn_size.h"

#include "vision/digit_samples.h"
#include "vision/size_numbers.h"

namespace stepgate {
namespace {

/// Every field by its name: one list for reading and writing.
std::vector<NamedNumber> numbers_of(DigitsCnnSize& size) {
  std::vector<NamedNumber> numbers = numbers_of(size.loader);
  for (const NamedNumber& number : numbers_of(size.net)) numbers.push_back(number);
  numbers.push_back({.name = "repeats", .value = &size.repeats});
  return numbers;
}

}  // namespace

DigitsCnnSize tiny_digits_cnn() {
  return {.net = {.channels = 1, .classes = digit_classes, .width = 16, .stages = 2, .blocks = 1},
          .loader = {.batch_size = 64}};
}

DigitsCnnSize full_digits_cnn() {
  return {.net = {.channels = 1, .classes = digit_classes, .width = 128, .stages = 3, .blocks = 2},
          .loader = {.batch_size = 1024, .workers = 8, .prefetch_batches = 16, .pinned = 1},
          .repeats = 64};
}

DigitsCnnSize gpu_small_digits_cnn() {
  return {.net = {.channels = 1, .classes = digit_classes, .width = 64, .stages = 3, .blocks = 2},
          .loader = {.batch_size = 256, .workers = 2, .prefetch_batches = 4, .pinned = 1},
          .repeats = 64};
}

std::map<std::string, std::string> params_of(const DigitsCnnSize& size) {
  DigitsCnnSize copy = size;
  return params_of(numbers_of(copy));
}

DigitsCnnSize with_params(DigitsCnnSize size, const std::map<std::string, std::string>& params) {
  set_params("digits_cnn", numbers_of(size), params);
  return size;
}

}  // namespace stepgate
