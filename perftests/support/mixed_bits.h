// The only source of pseudo-random bits in the data path: a hash, so that a draw depends only on its position.
#pragma once

#include <cstdint>

namespace stepgate {

/// One step of SplitMix64 (Steele, Lea, Flood 2014), a bijection: equal on every platform, unlike std distributions.
constexpr std::uint64_t mixed_bits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

}  // namespace stepgate
