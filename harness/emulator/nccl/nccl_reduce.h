// What collectives do to numbers: elements of several ranks become one, always in the order of the ranks, so that every
// rank gets the same bits and a second run gets them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace stepgate::emulator {

enum class NcclElement {
  int8,
  uint8,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  bfloat16,
  float8_e4m3,
  float8_e5m2,
};

struct NcclElementRow {
  NcclElement element;
  std::string_view name;  ///< as in the names of kernels
  std::uint64_t bytes;
};

inline constexpr NcclElementRow nccl_element_rows[] = {
    {NcclElement::int8, "i8", 1},
    {NcclElement::uint8, "u8", 1},
    {NcclElement::int32, "i32", 4},
    {NcclElement::uint32, "u32", 4},
    {NcclElement::int64, "i64", 8},
    {NcclElement::uint64, "u64", 8},
    {NcclElement::float16, "f16", 2},
    {NcclElement::float32, "f32", 4},
    {NcclElement::float64, "f64", 8},
    {NcclElement::bfloat16, "bf16", 2},
    {NcclElement::float8_e4m3, "f8e4m3", 1},
    {NcclElement::float8_e5m2, "f8e5m2", 1},
};

constexpr const NcclElementRow& row_of(NcclElement element) {
  return nccl_element_rows[static_cast<std::size_t>(element)];
}

enum class NcclReductionKind { sum, product, max, min, average, premultiplied_sum };

std::string_view name_of(NcclReductionKind kind);

struct NcclReduction {
  NcclReductionKind kind = NcclReductionKind::sum;
  NcclElement element = NcclElement::float32;
  /// Of premultiplied_sum: what each rank multiplies its own elements by, one for each rank.
  std::vector<double> factors = {};
};

/// Writes `count` elements to `to`, the reduction of those at each of `from`, which is one address a rank. `to` may be
/// one of `from`. Floats below 32 bits are added as float32 and rounded after each rank, as between two ranks of a
/// ring.
void reduce_elements(const NcclReduction& reduction, const std::vector<const std::byte*>& from, std::byte* to,
                     std::uint64_t count);

/// The number that an element in memory holds.
double value_of(NcclElement element, const void* address);

}  // namespace stepgate::emulator
