#include "environment/cpus/cpu_mask.h"

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr int cpus_per_digit = 4;

}  // namespace

std::optional<CpuList> cpu_list_from_mask(std::string_view mask) {
  CpuList cpus;
  int first_cpu = 0;
  for (auto digit = mask.rbegin(); digit != mask.rend(); ++digit) {
    if (*digit == ',') continue;
    const std::size_t value = hex_digits.find(*digit);
    if (value == std::string_view::npos) return std::nullopt;
    for (int bit = 0; bit < cpus_per_digit; ++bit) {
      if (((value >> bit) & 1U) != 0) cpus.push_back(first_cpu + bit);
    }
    first_cpu += cpus_per_digit;
  }
  if (first_cpu == 0) return std::nullopt;
  return cpus;
}

std::string mask_of(const CpuList& cpus, std::string_view shape) {
  std::string mask(shape);
  int first_cpu = 0;
  for (auto digit = mask.rbegin(); digit != mask.rend(); ++digit) {
    if (*digit == ',') continue;
    std::size_t value = 0;
    for (int bit = 0; bit < cpus_per_digit; ++bit) {
      if (std::binary_search(cpus.begin(), cpus.end(), first_cpu + bit)) value |= std::size_t{1} << bit;
    }
    *digit = hex_digits[value];
    first_cpu += cpus_per_digit;
  }
  return mask;
}

}  // namespace stepgate
