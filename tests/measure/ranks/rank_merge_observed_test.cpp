#include <gtest/gtest.h>

#include "measure/ranks/rank_merge_parts.h"

namespace stepgate {
namespace {

ObservedTensor floats(std::vector<std::int64_t> strides = {97, 1}) {
  return {{32, 97}, std::move(strides), "float32", ""};
}

OperatorSite site_of(const std::string& name, std::size_t place, std::int64_t calls) {
  OperatorSite site{.boundary = "forward", .name = name, .place = place};
  site.inputs = {floats()};
  site.calls = calls;
  site.leaf_calls = calls;
  site.flops = 10 * calls;
  site.bytes = 100 * calls;
  site.self_ns = calls;
  site.has_formula = true;
  return site;
}

ObservedWork of_one_rank() {
  ObservedWork work;
  work.steps = 2;
  work.places = {{{0x10}}, {{0x20}}};
  work.sites = {site_of("aten::mm", 0, 4), site_of("aten::mul", 1, 2)};
  return work;
}

TEST(RankMergeObserved, SumsCallsFromTheSamePlace) {
  ObservedWork work = of_one_rank();
  ObservedWork other = of_one_rank();
  std::swap(other.places[0], other.places[1]);  // ranks meet their places in another order
  for (OperatorSite& site : other.sites) site.place = 1 - *site.place;
  add_observed(work, other);
  ASSERT_EQ(work.sites.size(), 2U);
  EXPECT_EQ(work.steps, 2);
  EXPECT_EQ(work.sites[0].calls, 8);
  EXPECT_EQ(work.sites[0].leaf_calls, 8);
  EXPECT_EQ(work.sites[0].flops, 80);
  EXPECT_EQ(work.sites[0].bytes, 800);
  EXPECT_EQ(work.sites[1].calls, 4);
  EXPECT_EQ(work.places.size(), 2U);
}

TEST(RankMergeObserved, KeepsWhatOnlyOneRankCalls) {
  ObservedWork work = of_one_rank();
  ObservedWork other = of_one_rank();
  other.places.push_back({{0x30}});
  other.sites.push_back(site_of("aten::add_", 2, 1));
  other.sites.push_back(site_of("aten::mm", 2, 1));
  other.sites[1].inputs = {floats({1, 32})};  // a transposed operand is another site
  add_observed(work, other);
  ASSERT_EQ(work.sites.size(), 5U);
  EXPECT_EQ(work.sites[0].calls, 8);
  EXPECT_EQ(work.sites[1].calls, 2);
  EXPECT_EQ(work.sites[2].inputs, std::vector{floats({1, 32})});
  EXPECT_EQ(work.sites[3].name, "aten::add_");
  EXPECT_EQ(work.places.at(*work.sites[3].place), (CodePlace{{0x30}}));
  EXPECT_EQ(work.sites[4].place, work.sites[3].place);
}

}  // namespace
}  // namespace stepgate
