// Floats of 16 and 8 bits as numbers: their layouts are those of IEEE 754 and of the OCP specification of 8-bit floats.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stepgate::emulator {

enum class BeyondRange {
  infinity,  ///< as IEEE 754 says
  largest,   ///< the largest finite number, as CUDA's conversions to 8 bits do by default
};

template <typename Storage, unsigned Exponent, unsigned Mantissa, std::uint32_t Largest, BeyondRange Beyond>
struct SmallFloat {
  static constexpr std::uint32_t sign_bit = 1U << (Exponent + Mantissa);
  static constexpr std::uint32_t bias = (1U << (Exponent - 1U)) - 1U;
  static constexpr std::uint32_t dropped_bits = 23U - Mantissa;
  static constexpr bool has_infinity = Largest + 1 == (((1U << Exponent) - 1U) << Mantissa);
  static constexpr std::uint32_t not_a_number = sign_bit - 1U;

  Storage bits = 0;

  float number() const {
    const std::uint32_t magnitude = bits & (sign_bit - 1U);
    const float sign = (bits & sign_bit) != 0 ? -1.0F : 1.0F;
    if (magnitude > Largest) {
      if (has_infinity && magnitude == Largest + 1) return sign * std::numeric_limits<float>::infinity();
      return std::numeric_limits<float>::quiet_NaN();
    }
    const std::uint32_t exponent = magnitude >> Mantissa;
    const std::uint32_t mantissa = magnitude & ((1U << Mantissa) - 1U);
    if (Exponent == 8) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), 1 - static_cast<int>(bias + Mantissa));
    const std::uint32_t wide = ((exponent + 127U - bias) << 23U) | (mantissa << dropped_bits);
    return sign * std::bit_cast<float>(wide);
  }

  /// To the nearest, ties to even.
  static SmallFloat of(float value) {
    const auto wide = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (wide >> 31U) != 0 ? sign_bit : 0U;
    if (std::isnan(value)) return {static_cast<Storage>(sign | not_a_number)};
    const std::uint32_t magnitude = code_of(wide & 0x7fffffffU);
    if (magnitude <= Largest) return {static_cast<Storage>(sign | magnitude)};
    return {static_cast<Storage>(sign | (Beyond == BeyondRange::infinity ? Largest + 1U : Largest))};
  }

 private:
  /// Of a magnitude; above Largest where it is out of range.
  static std::uint32_t code_of(std::uint32_t wide) {
    constexpr std::uint32_t shift_of_bias = 127U - bias;
    const bool is_normal = Exponent == 8 || (wide >> 23U) > shift_of_bias;
    if (is_normal) {
      const std::uint32_t half = (1U << (dropped_bits - 1U)) - 1U + ((wide >> dropped_bits) & 1U);
      return ((wide + half) >> dropped_bits) - (shift_of_bias << Mantissa);
    }
    const float scaled = std::ldexp(std::bit_cast<float>(wide), static_cast<int>(bias + Mantissa) - 1);
    return static_cast<std::uint32_t>(std::nearbyint(scaled));
  }
};

using Float16 = SmallFloat<std::uint16_t, 5, 10, 0x7bff, BeyondRange::infinity>;
using Bfloat16 = SmallFloat<std::uint16_t, 8, 7, 0x7f7f, BeyondRange::infinity>;
using Float8E4M3 = SmallFloat<std::uint8_t, 4, 3, 0x7e, BeyondRange::largest>;
using Float8E5M2 = SmallFloat<std::uint8_t, 5, 2, 0x7b, BeyondRange::largest>;

}  // namespace stepgate::emulator
