#include "emulator/nccl/nccl_reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "emulator/nccl/nccl_small_floats.h"

namespace stepgate::emulator {
namespace {

/// One array a rank.
template <typename Number>
std::vector<Number> reduced(const NcclReduction& reduction, const std::vector<std::vector<Number>>& ranks) {
  std::vector<const std::byte*> from;
  for (const std::vector<Number>& rank : ranks) from.push_back(reinterpret_cast<const std::byte*>(rank.data()));
  std::vector<Number> to(ranks.front().size());
  reduce_elements(reduction, from, reinterpret_cast<std::byte*>(to.data()), to.size());
  return to;
}

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

TEST(NcclReduce, EachKindOfFloats) {
  const std::vector<Floats> ranks = {{1, -2, 3}, {4, 5, -6}};
  const NcclElement type = NcclElement::float32;
  EXPECT_EQ(reduced(NcclReduction{NcclReductionKind::sum, type}, ranks), (Floats{5, 3, -3}));
  EXPECT_EQ(reduced(NcclReduction{NcclReductionKind::product, type}, ranks), (Floats{4, -10, -18}));
  EXPECT_EQ(reduced(NcclReduction{NcclReductionKind::max, type}, ranks), (Floats{4, 5, 3}));
  EXPECT_EQ(reduced(NcclReduction{NcclReductionKind::min, type}, ranks), (Floats{1, -2, -6}));
  EXPECT_EQ(reduced(NcclReduction{NcclReductionKind::average, type}, ranks), (Floats{2.5, 1.5, -1.5}));
  EXPECT_EQ(reduced(NcclReduction{NcclReductionKind::premultiplied_sum, type, {2, 10}}, ranks), (Floats{42, 46, -54}));
}

TEST(NcclReduce, AddsInTheOrderOfTheRanks) {
  const NcclReduction sum{NcclReductionKind::sum, NcclElement::float32};
  EXPECT_EQ(reduced<float>(sum, {{1e8F}, {-1e8F}, {1}}), Floats{1});
  EXPECT_EQ(reduced<float>(sum, {{1}, {1e8F}, {-1e8F}}), Floats{0}) << "1 is lost beside the large number";
}

TEST(NcclReduce, IntegersWrapAndTheirAverageIsCut) {
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  const std::vector<Ints> ranks = {{largest, 7, -7}, {1, 0, 0}};
  const Ints sums = reduced(NcclReduction{NcclReductionKind::sum, NcclElement::int32}, ranks);
  EXPECT_EQ(sums, (Ints{std::numeric_limits<std::int32_t>::min(), 7, -7}));
  const Ints averages = reduced(NcclReduction{NcclReductionKind::average, NcclElement::int32}, ranks);
  EXPECT_EQ(averages[1], 3);
  EXPECT_EQ(averages[2], -3);
  const std::vector<std::vector<std::uint8_t>> bytes = {{200, 3}, {100, 5}};
  const auto products = reduced(NcclReduction{NcclReductionKind::product, NcclElement::uint8}, bytes);
  EXPECT_EQ(products, (std::vector<std::uint8_t>{static_cast<std::uint8_t>(20000), 15}));
}

TEST(NcclReduce, LargeIntegersKeepTheirBits) {
  const std::int64_t odd = (1LL << 60) + 1;
  const auto sums = reduced<std::int64_t>(NcclReduction{NcclReductionKind::sum, NcclElement::int64}, {{odd}, {1}});
  EXPECT_EQ(sums.front(), odd + 1);
}

TEST(NcclReduce, HalfIsRoundedAfterEachRank) {
  const std::uint16_t two_thousand = Float16::of(2048).bits;
  const std::uint16_t one = Float16::of(1).bits;
  const auto sum = reduced<std::uint16_t>(NcclReduction{NcclReductionKind::sum, NcclElement::float16},
                                          {{two_thousand}, {one}, {one}});
  EXPECT_EQ(Float16{sum.front()}.number(), 2048) << "2049 is between two numbers, twice";
}

TEST(NcclReduce, MayWriteToOneOfItsInputs) {
  Floats own = {1, 2};
  const Floats other = {10, 20};
  auto* to = reinterpret_cast<std::byte*>(own.data());
  reduce_elements({}, {to, reinterpret_cast<const std::byte*>(other.data())}, to, 2);
  EXPECT_EQ(own, (Floats{11, 22}));
}

TEST(NcclSmallFloats, EachNumberIsItself) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const Float16 half{static_cast<std::uint16_t>(bits)};
    if (!std::isnan(half.number())) {
      ASSERT_EQ(Float16::of(half.number()).bits, bits);
    }
    const Bfloat16 brain{static_cast<std::uint16_t>(bits)};
    if (!std::isnan(brain.number())) {
      ASSERT_EQ(Bfloat16::of(brain.number()).bits, bits);
    }
  }
  for (std::uint32_t bits = 0; bits < 0x100U; ++bits) {
    const Float8E4M3 narrow{static_cast<std::uint8_t>(bits)};
    if (!std::isnan(narrow.number())) {
      ASSERT_EQ(Float8E4M3::of(narrow.number()).bits, bits);
    }
    const Float8E5M2 wide{static_cast<std::uint8_t>(bits)};
    if (std::isfinite(wide.number())) {
      ASSERT_EQ(Float8E5M2::of(wide.number()).bits, bits);
    }
  }
}

TEST(NcclSmallFloats, KnownNumbers) {
  EXPECT_EQ(Float16::of(1).bits, 0x3c00);
  EXPECT_EQ(Float16::of(-2).bits, 0xc000);
  EXPECT_EQ(Float16::of(65504).bits, 0x7bff);
  EXPECT_EQ(Float16::of(5.9604645e-8F).bits, 1) << "the smallest one";
  EXPECT_EQ(Bfloat16::of(1).bits, 0x3f80);
  EXPECT_EQ(Float8E4M3::of(448).bits, 0x7e);
  EXPECT_EQ(Float8E4M3::of(1).bits, 0x38);
  EXPECT_EQ(Float8E5M2::of(57344).bits, 0x7b);
}

TEST(NcclSmallFloats, RoundsToEvenAndBeyondTheRange) {
  EXPECT_EQ(Float16::of(2049).number(), 2048);
  EXPECT_EQ(Float16::of(2051).number(), 2052);
  EXPECT_EQ(Float16::of(65520).number(), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Float16::of(65519).number(), 65504);
  EXPECT_EQ(Float8E4M3::of(1000).number(), 448);
  EXPECT_EQ(Float8E5M2::of(-1e9F).number(), -57344);
  EXPECT_TRUE(std::isnan(Float8E4M3::of(std::nanf("")).number()));
  EXPECT_TRUE(std::isnan(Bfloat16::of(std::nanf("")).number()));
}

}  // namespace
}  // namespace stepgate::emulator
