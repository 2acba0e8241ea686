#include "diagnose/profile/step/call_price.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

/// 100 calls that touch 10 000 bytes, at 1 byte/ns and 1 us a call.
OperatorRow small_row(double efficiency) {
  OperatorRow row;
  row.site = {.boundary = "forward", .name = "aten::add", .calls = 100, .leaf_calls = 100, .bytes = 10'000};
  row.efficiency = efficiency;
  return row;
}

const MachinePeaks peaks_of_a_test{.flops_per_s = {{"float32", 1e9}}, .bandwidth = {{1 << 20, 1e9}}, .floor_ns = 1000};

TEST(CallPrice, IsWhatAnOperatorCostsWhoseRoofIsMostlyItsCalls) {
  EXPECT_TRUE(is_price_of_calls(small_row(0.3), peaks_of_a_test));
  OperatorRow large = small_row(0.3);
  large.site.bytes = 1'000'000;
  EXPECT_FALSE(is_price_of_calls(large, peaks_of_a_test));
  EXPECT_FALSE(is_price_of_calls(small_row(0.3), {})) << "the price of a call was not measured";
}

TEST(CallPrice, DoesNotExplainATimeFarAboveTheRoof) {
  OperatorRow row = small_row(0.1);
  EXPECT_FALSE(is_price_of_calls(row, peaks_of_a_test));
  row.overhead = true;
  EXPECT_TRUE(is_price_of_calls(row, peaks_of_a_test));
}

}  // namespace
}  // namespace stepgate
