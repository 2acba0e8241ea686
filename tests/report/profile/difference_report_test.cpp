#include "report/profile/difference_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/sample_difference.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DifferenceReport, LooksAsApproved) {
  expect_golden("report/difference.txt",
                render_difference(sample_difference(), {.color = false, .ascii = true, .width = 110}));
}

TEST(DifferenceReport, CountsTheRowsThatItLeavesOut) {
  StepDifference difference = sample_difference();
  difference.rows.resize(23, difference.rows.front());
  EXPECT_THAT(render_difference(difference, {}), HasSubstr("3 more: difference.json"));
  difference.rows.clear();
  EXPECT_THAT(render_difference(difference, {}), HasSubstr("no operator differs"));
}

}  // namespace
}  // namespace stepgate
