#include "support/named_numbers.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace stepgate {
namespace {

[[noreturn]] void refuse(std::string_view workload, const std::string& why) {
  throw std::invalid_argument(std::string(workload) + ": " + why);
}

[[noreturn]] void refuse_name(std::string_view workload, const std::vector<NamedNumber>& numbers,
                              const std::string& name) {
  std::string known;
  for (const NamedNumber& number : numbers) known.append(known.empty() ? "" : ", ").append(number.name);
  refuse(workload, "no parameter is named " + name + "; known: " + known);
}

std::int64_t value_of(std::string_view workload, const NamedNumber& number, const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped_at, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stopped_at == end && value >= number.least && value <= number.most) return value;
  refuse(workload, "parameter " + std::string(number.name) + " must be a whole number from " +
                       std::to_string(number.least) + " to " + std::to_string(number.most) + ", got \"" + text + "\"");
}

}  // namespace

std::map<std::string, std::string> params_of(const std::vector<NamedNumber>& numbers) {
  std::map<std::string, std::string> params;
  for (const NamedNumber& number : numbers) params[std::string(number.name)] = std::to_string(*number.value);
  return params;
}

void set_params(std::string_view workload, const std::vector<NamedNumber>& numbers,
                const std::map<std::string, std::string>& params) {
  for (const auto& [name, text] : params) {
    const auto number = std::ranges::find(numbers, name, &NamedNumber::name);
    if (number == numbers.end()) refuse_name(workload, numbers, name);
    *number->value = value_of(workload, *number, text);
  }
}

}  // namespace stepgate
