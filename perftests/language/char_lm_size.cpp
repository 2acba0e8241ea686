#include "language/char_lm_size.h"

#include <charconv>
#include <functional>
#include <stdexcept>

namespace stepgate {
namespace {

/// Every field by its name: one list that both directions read.
std::map<std::string, std::reference_wrapper<std::int64_t>> fields_of(CharLmSize& size) {
  return {{"layers", size.layers},
          {"heads", size.heads},
          {"width", size.width},
          {"batch_size", size.batch.batch_size},
          {"max_length", size.batch.max_length},
          {"bucket_width", size.batch.bucket_width}};
}

std::int64_t positive_integer(const std::string& name, const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped_at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped_at != end || value < 1) {
    throw std::invalid_argument("char_lm: parameter " + name + " must be a positive integer, got \"" + text + "\"");
  }
  return value;
}

}  // namespace

CharLmSize tiny_char_lm() { return {}; }

CharLmSize full_char_lm() {
  return {.layers = 12, .heads = 12, .width = 768, .batch = {.batch_size = 32, .max_length = 512, .bucket_width = 128}};
}

std::map<std::string, std::string> params_of(const CharLmSize& size) {
  CharLmSize copy = size;
  std::map<std::string, std::string> params;
  for (const auto& [name, value] : fields_of(copy)) params[name] = std::to_string(value.get());
  return params;
}

CharLmSize with_params(CharLmSize size, const std::map<std::string, std::string>& params) {
  auto fields = fields_of(size);
  for (const auto& [name, text] : params) {
    const auto field = fields.find(name);
    if (field == fields.end()) {
      std::string known;
      for (const auto& [field_name, value] : fields) known += (known.empty() ? "" : ", ") + field_name;
      throw std::invalid_argument("char_lm: no parameter is named " + name + "; known: " + known);
    }
    field->second.get() = positive_integer(name, text);
  }
  if (size.width % size.heads != 0) {
    throw std::invalid_argument("char_lm: width " + std::to_string(size.width) + " is no multiple of heads " +
                                std::to_string(size.heads));
  }
  return size;
}

}  // namespace stepgate
