#include "language/char_lm_parallel_size.h"

#include <stdexcept>
#include <utility>

#include "support/named_numbers.h"

namespace stepgate {
namespace {

/// Named numbers hold switches as 0 and 1, as parameters do.
struct Numbers {
  std::int64_t bucket_bytes;
  std::int64_t overlap;
  std::int64_t micro_steps;
  std::int64_t sync_each;

  explicit Numbers(const CharLmParallelSize& size)
      : bucket_bytes(size.exchange.bucket_bytes),
        overlap(size.exchange.overlap ? 1 : 0),
        micro_steps(size.micro_steps),
        sync_each(size.sync_each ? 1 : 0) {}

  std::vector<NamedNumber> named() {
    return {{.name = "bucket_bytes", .value = &bucket_bytes},
            {.name = "overlap", .value = &overlap, .least = 0, .most = 1},
            {.name = "micro_steps", .value = &micro_steps},
            {.name = "sync_each", .value = &sync_each, .least = 0, .most = 1}};
  }
};

}  // namespace

CharLmParallelSize tiny_char_lm_parallel() {
  CharLmParallelSize size;
  size.model = tiny_char_lm();
  // A tenth of the model's gradients, so that there are several buckets: its 448 kB would not fill one of 1 MiB.
  size.exchange.bucket_bytes = 1 << 16;
  return size;
}

CharLmParallelSize full_char_lm_parallel() {
  CharLmParallelSize size;
  size.model = full_char_lm();
  return size;
}

CharLmParallelSize gpu_small_char_lm_parallel() {
  CharLmParallelSize size;
  size.model = gpu_small_char_lm();
  return size;
}

std::map<std::string, std::string> params_of(const CharLmParallelSize& size) {
  std::map<std::string, std::string> params = params_of(size.model);
  params.merge(params_of(Numbers(size).named()));
  return params;
}

CharLmParallelSize with_params(const CharLmParallelSize& size, const std::map<std::string, std::string>& params) {
  CharLmParallelSize result = size;
  Numbers numbers(size);
  std::vector<NamedNumber> named = numbers_of(result.model);
  for (NamedNumber& number : numbers.named()) named.push_back(number);
  set_params("char_lm_parallel", named, params);
  require_possible(result.model);
  result.exchange = {.bucket_bytes = numbers.bucket_bytes, .overlap = numbers.overlap == 1};
  result.micro_steps = numbers.micro_steps;
  result.sync_each = numbers.sync_each == 1;
  return result;
}

std::int64_t rows_per_micro_step(const CharLmParallelSize& size, std::int64_t ranks) {
  const std::int64_t parts = ranks * size.micro_steps;
  if (size.model.batch.batch_size % parts == 0) return size.model.batch.batch_size / parts;
  throw std::invalid_argument("char_lm_parallel: batch_size " + std::to_string(size.model.batch.batch_size) +
                              " is no multiple of ranks " + std::to_string(ranks) + " times micro_steps " +
                              std::to_string(size.micro_steps));
}

}  // namespace stepgate
