#include "report/profile/census_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(CensusText, SaysNothingOfNothing) { EXPECT_THAT(census_texts({}), IsEmpty()); }

TEST(CensusText, HasALineForCopiesOperandsAndDtypes) {
  WorkCensus census;
  census.copies = {{"aten::flatten", "layout", 1, 0, 3000}, {"aten::linear > aten::mm", "layout", 2, 0, 1000}};
  census.operands = {{"products", "contiguous", 2, 75, 0}, {"products", "transposed", 2, 25, 0}};
  census.dtypes = {
      {"products", "bfloat16", 1, 90, 1}, {"products", "float32", 1, 10, 99}, {"norm", "float32", 1, 0, 7}};
  census.product_flops = 100;
  census.misaligned_flops = 6;
  EXPECT_THAT(
      census_texts(census),
      ElementsAre(testing::AllOf(StartsWith("copies "), testing::HasSubstr("by aten::flatten (1 a step), layout"),
                                 testing::HasSubstr("by aten::linear > aten::mm (2 a step)")),
                  "operands of matrix products, by FLOPs: contiguous 75 %, transposed 25 %; 6 % in sizes that "
                  "are not multiples of 16 bytes",
                  "dtypes: products bfloat16 90 % / float32 10 %, norm float32"));
}

TEST(CensusText, NamesTheLargestCopiesAndCountsTheOthers) {
  WorkCensus census;
  for (int i = 0; i < 6; ++i) census.copies.push_back({"aten::clone", "plain", 1, 0, 8});
  EXPECT_THAT(census_texts(census), ElementsAre(testing::EndsWith(", 2 causes more")));
}

}  // namespace
}  // namespace stepgate
