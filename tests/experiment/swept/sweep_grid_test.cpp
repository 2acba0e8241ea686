#include "experiment/swept/sweep_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

void expect_refused(const std::string& text, const std::string& part) {
  try {
    parse_vary(text);
    ADD_FAILURE() << text << " was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("--vary"), HasSubstr(part)));
  }
}

TEST(SweepGrid, ReadsNameAndValues) {
  const SweptParameter parameter = parse_vary("batch_size=4,8,a=b");
  EXPECT_EQ(parameter.name, "batch_size");
  EXPECT_THAT(parameter.values, ElementsAre("4", "8", "a=b"));
}

TEST(SweepGrid, RefusesTextThatIsNotAParameter) {
  expect_refused("batch_size", "batch_size");
  expect_refused("=4", "=4");
  expect_refused("batch_size=", "no values");
  expect_refused("batch_size=4,,8", "empty value");
  expect_refused("batch_size=4,8,", "empty value");
  expect_refused("batch_size=4,8,4", "4 twice");
  expect_refused("loader_workers=1,01", "01 twice, written differently");
  expect_refused("threads=1,0", "threads=0");
  expect_refused("threads=two", "threads=two");
  expect_refused("threads=1,100000", "threads=100000 is not a whole number from 1 to 4096");
}

TEST(SweepGrid, HoldsEveryCombination) {
  EXPECT_THAT(grid_of({{"a", {"1", "2"}}, {"b", {"x", "y"}}}),
              ElementsAre(ElementsAre("1", "x"), ElementsAre("1", "y"), ElementsAre("2", "x"), ElementsAre("2", "y")));
}

TEST(SweepGrid, RefusesGridsWithNothingToCompare) {
  EXPECT_THROW(grid_of({}), Error);
  EXPECT_THROW(grid_of({{"a", {"1"}}}), Error);
  EXPECT_THROW(grid_of({{"a", {"1", "2"}}, {"a", {"3"}}}), Error);
  EXPECT_THROW(grid_of({{"a", {"1", "2"}}, {"b", {"1", "2"}}}, 3), Error);
}

TEST(SweepGrid, PutsThreadsIntoThePlanAndTheRestIntoParameters) {
  Plan base;
  base.seed = 7;
  base.params = {{"width", "64"}};
  const Plan plan = plan_of_setting(base, {{"threads", {"1", "2"}}, {"batch_size", {"4"}}}, {"2", "4"});
  EXPECT_EQ(plan.threads, 2);
  EXPECT_EQ(plan.seed, 7u);
  EXPECT_THAT(plan.params, UnorderedElementsAre(Pair("width", "64"), Pair("batch_size", "4")));
}

TEST(SweepGrid, GivesEverySettingTheCpusOfTheLargest) {
  const std::vector<SweptParameter> parameters = {{"threads", {"1", "2"}}, {"loader_workers", {"0", "3"}}};
  EXPECT_EQ(cpus_for(Plan{}, parameters, grid_of(parameters)), 5);
  Plan declared;
  declared.cpus = 8;
  EXPECT_EQ(cpus_for(declared, parameters, grid_of(parameters)), 8);
  const std::vector<SweptParameter> other = {{"batch_size", {"16", "64"}}};
  EXPECT_EQ(cpus_for(Plan{}, other, grid_of(other)), 1) << "a batch size does not count as CPUs";
}

TEST(SweepGrid, EveryRoundIsAPermutationOfItsOwn) {
  const auto orders = round_orders(20260101, 20, 6);
  ASSERT_EQ(orders.size(), 20u);
  for (const auto& order : orders) EXPECT_THAT(order, UnorderedElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_GT(std::set(orders.begin(), orders.end()).size(), 15u) << "orders repeat";
  std::set<std::size_t> firsts;
  for (const auto& order : orders) firsts.insert(order.front());
  EXPECT_GT(firsts.size(), 3u) << "some setting always runs first";
}

TEST(SweepGrid, TheSeedDecidesTheOrder) {
  EXPECT_EQ(round_orders(1, 5, 8), round_orders(1, 5, 8));
  EXPECT_NE(round_orders(1, 5, 8), round_orders(2, 5, 8));
}

}  // namespace
}  // namespace stepgate
