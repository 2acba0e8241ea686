#include "emulator/values/random_place.h"

#include <ATen/CPUGeneratorImpl.h>

namespace stepgate::emulator {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): neighbouring places get seeds that have nothing in common.
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15ULL;
  number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  number = (number ^ (number >> 27U)) * 0x94D049BB133111EBULL;
  return number ^ (number >> 31U);
}

}  // namespace

RandomPlace RandomSource::now() const {
  if (seed_at == nullptr) return place;
  return {static_cast<std::uint64_t>(*seed_at), static_cast<std::uint64_t>(*offset_at) + place.offset};
}

at::Generator generator_at(const RandomPlace& place) {
  constexpr unsigned kept_bits = 32;  // LibTorch's generator takes the low 32 bits of a seed
  return at::detail::createCPUGenerator(mixed(mixed(place.seed) ^ place.offset) >> kept_bits);
}

}  // namespace stepgate::emulator
