#include "language/char_lm_accumulated_size.h"

#include <stdexcept>
#include <vector>

#include "support/named_numbers.h"

namespace stepgate {
namespace {

std::vector<NamedNumber> own_numbers_of(CharLmAccumulatedSize& size) {
  return {{.name = "micro_batches", .value = &size.micro_batches},
          {.name = "warmup_updates", .value = &size.warmup_updates, .least = 0},
          {.name = "total_updates", .value = &size.total_updates}};
}

}  // namespace

CharLmAccumulatedSize tiny_char_lm_accumulated() {
  CharLmAccumulatedSize size;
  size.model = tiny_char_lm();
  return size;
}

std::map<std::string, std::string> params_of(const CharLmAccumulatedSize& size) {
  CharLmAccumulatedSize copy = size;
  std::map<std::string, std::string> params = params_of(size.model);
  params.merge(params_of(own_numbers_of(copy)));
  params["telemetry"] = size.telemetry;
  return params;
}

CharLmAccumulatedSize with_params(CharLmAccumulatedSize size, std::map<std::string, std::string> params) {
  if (const auto telemetry = params.extract("telemetry"); !telemetry.empty()) size.telemetry = telemetry.mapped();
  std::vector<NamedNumber> named = numbers_of(size.model);
  for (const NamedNumber& number : own_numbers_of(size)) named.push_back(number);
  set_params("char_lm_accumulated", named, params);
  require_possible(size.model);
  if (size.total_updates <= size.warmup_updates)
    throw std::invalid_argument("char_lm_accumulated: total_updates is not above warmup_updates");
  return size;
}

}  // namespace stepgate
