#include "diagnose/profile/step/operator_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "diagnose/profile/sample_profile_input.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;

OperatorTable table_of(const std::vector<ProfileRun>& runs) {
  std::vector<const ProfileRun*> pointers;
  for (const ProfileRun& run : runs) pointers.push_back(&run);
  return operator_table(pointers, runs.front().peaks, SampleProfileInput::step_ns);
}

double overhead_of(const std::vector<ProfileRun>& runs) {
  std::vector<const ProfileRun*> pointers;
  for (const ProfileRun& run : runs) pointers.push_back(&run);
  return observer_overhead(pointers);
}

TEST(OperatorTable, TimesAreThoseOfAStep) {
  const OperatorTable table = table_of({SampleProfileInput::profile_run()});
  ASSERT_EQ(table.rows.size(), 3U);  // the loader's operator is not part of the step's work
  const OperatorRow& product = table.rows[0];
  EXPECT_EQ(product.site.name, "aten::mm");
  EXPECT_DOUBLE_EQ(product.self_ns, 4e6);
  EXPECT_EQ(product.site.calls, 1);
  EXPECT_EQ(product.site.flops, 3'000'000);
  EXPECT_NEAR(product.efficiency, 3.001 / 4, 1e-9);
  ASSERT_TRUE(product.at);
  EXPECT_EQ(product.at->line, 12);  // the innermost frame that has one
  EXPECT_DOUBLE_EQ(overhead_of({SampleProfileInput::profile_run()}), 0);
  EXPECT_DOUBLE_EQ(table.flops, 3e6);
  EXPECT_TRUE(table.rows[1].below_ridge);
  EXPECT_FALSE(product.below_ridge);
  EXPECT_TRUE(table.rows[2].overhead);
  EXPECT_FALSE(product.overhead);
}

/// 8 012 calls made 40 ms longer: 4.99 us each. The 2000 small ones of a step take 1 ms and lose their half, as the
/// step did; the product is one call.
TEST(OperatorTable, TheObserverCostsEachCallAlike) {
  ProfileRun run = SampleProfileInput::profile_run();
  run.observed_wall_ns = 80'000'000;
  const OperatorTable table = table_of({run});
  EXPECT_DOUBLE_EQ(overhead_of({run}), 1);
  EXPECT_NEAR(table.rows[0].self_ns, 4e6 - 40e6 / 8012, 1);
  EXPECT_NEAR(table.rows[2].self_ns, 0.5e6, 1);
}

TEST(OperatorTable, AnObserverThatSeemsToShortenStepsLengthensNoTime) {
  ProfileRun run = SampleProfileInput::profile_run();
  run.unobserved_wall_ns = 50'000'000;
  const OperatorTable table = table_of({run});
  EXPECT_DOUBLE_EQ(table.rows[0].self_ns, 4e6);
  EXPECT_DOUBLE_EQ(overhead_of({run}), -0.2);
}

/// The product becomes one that calls two others in turn; its 16 ms lie in the inner one.
void nest_the_product(ProfileRun& run) {
  OperatorSite& outer = run.observed->sites[1];
  outer.name = "aten::convolution";
  outer.self_ns = 1'000'000;
  OperatorSite between = outer;
  between.name = "aten::_convolution";
  between.parent = "aten::convolution";
  between.leaf_calls = between.flops = 0;
  OperatorSite part = between;
  part.name = "aten::mkldnn_convolution";
  part.parent = "aten::_convolution";
  part.self_ns = 14'000'000;
  run.observed->sites.insert(run.observed->sites.begin(), {part, between});
}

TEST(OperatorTable, AnOperatorThatDoesTheWorkHasOneRowWithItsParts) {
  SampleProfileInput input;
  const Profile plain = profile_case(input);
  nest_the_product(input.run());
  const Profile nested = profile_case(input);
  ASSERT_EQ(nested.operators.size(), 3U);
  const OperatorRow& row = nested.operators[0];
  EXPECT_EQ(row.site.name, "aten::convolution");
  EXPECT_DOUBLE_EQ(row.self_ns, 4e6);
  EXPECT_NEAR(row.efficiency, 3.001 / 4, 1e-9);
  ASSERT_EQ(nested.account.size(), plain.account.size());
  for (std::size_t i = 0; i < plain.account.size(); ++i) {
    EXPECT_NEAR(nested.account[i].ns, plain.account[i].ns, 1) << plain.account[i].part;
  }
}

TEST(OperatorTable, WhatAnOperatorWithoutWorkMayHaveCalledKeepsItsRow) {
  std::vector<ProfileRun> runs(1, SampleProfileInput::profile_run());
  nest_the_product(runs[0]);
  OperatorSite other = runs[0].observed->sites[3];
  other.leaf_calls = 0;
  other.inputs = {{.sizes = {2, 2}, .strides = {2, 1}, .dtype = "float32"}};
  runs[0].observed->sites.push_back(other);
  double self_ns = 0;
  for (const OperatorRow& row : table_of(runs).rows) self_ns += row.self_ns;
  EXPECT_DOUBLE_EQ(self_ns, (1 + 1 + 1 + 14 + 8 + 4) / 4.0 * 1e6);  // each with its own time, none twice
}

TEST(OperatorTable, MeansOverTheProcessesAlsoOfASiteThatOneOfThemLacks) {
  std::vector<ProfileRun> runs(2, SampleProfileInput::profile_run());
  runs[1].observed->sites[1].self_ns *= 2;
  runs[1].observed->sites[1].total_ns *= 2;
  runs[1].observed->sites[0].outputs.clear();  // results do not tell sites apart
  runs[1].observed->sites.erase(runs[1].observed->sites.begin() + 2);
  const OperatorTable table = table_of(runs);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_DOUBLE_EQ(table.rows[0].self_ns, 6e6);
  EXPECT_DOUBLE_EQ(table.rows[2].self_ns, 0.5e6);
}

TEST(OperatorTable, CallsExplainThemselves) {
  std::vector<ProfileRun> runs(1, SampleProfileInput::profile_run());
  OperatorSite gradient = SampleProfileInput::site("backward", "aten::detach", 1000);
  gradient.calls = 4 * 28;
  OperatorSite copies = SampleProfileInput::site("optimizer", "aten::_to_copy", 1000);
  copies.calls = 4 * 140;
  runs[0].observed->sites.insert(runs[0].observed->sites.end(), {gradient, copies});
  for (const OperatorRow& row : table_of(runs).rows) {
    if (row.site.name == "aten::_to_copy") {
      EXPECT_EQ(row.calls_are, "5 per parameter tensor");
    }
    if (row.site.name == "aten::mm") {
      EXPECT_EQ(row.calls_are, "");
    }
  }
}

/// Each token's gradient is as large as all logits.
TEST(OperatorTable, AGradientOfTheSizeOfTheLogitsSaysSo) {
  ProfileRun run = SampleProfileInput::profile_run();
  const auto tensor = [](std::vector<std::int64_t> sizes, const char* dtype) {
    return ObservedTensor{.sizes = std::move(sizes), .strides = {}, .dtype = dtype};
  };
  OperatorSite symbols = SampleProfileInput::site("forward", "aten::embedding", 1000);
  symbols.inputs = {tensor({97, 32}, "float32"), tensor({2, 16}, "int64")};
  OperatorSite loss = SampleProfileInput::site("forward", "aten::_log_softmax", 1000);
  loss.inputs = {tensor({2, 97}, "float32")};
  OperatorSite gradient = SampleProfileInput::site("backward", "aten::select_backward", 1000);
  gradient.outputs = {tensor({2, 16, 97}, "float32")};
  gradient.calls = gradient.leaf_calls = 4 * 16;
  run.observed->sites.insert(run.observed->sites.end(), {symbols, loss, gradient});
  const auto rows = table_of({run}).rows;
  const auto at =
      std::ranges::find_if(rows, [](const OperatorRow& row) { return row.site.name == "aten::select_backward"; });
  ASSERT_NE(at, rows.end());
  EXPECT_EQ(at->calls_are, "once per token; 12.1 KiB = size of the logits each");
}

/// The processes of group profile do not count bytes, and sort by shape; group exact does and does not.
TEST(OperatorTable, AllocationsAreThoseThatGroupExactCounted) {
  ProfileRun run = SampleProfileInput::profile_run();
  OperatorSite smaller = run.observed->sites[1];
  smaller.inputs = {{.sizes = {32, 64}, .strides = {64, 1}, .dtype = "float32"}};
  smaller.outputs = {{.sizes = {32, 64}, .strides = {64, 1}, .dtype = "float32"}};
  run.observed->sites.push_back(smaller);
  ObservedWork counted{.steps = 2};
  // Another pass reaches the same line by other frames of the harness.
  counted.places = {{.offsets = {99}}, {.offsets = {16, 77}}};
  counted.places[1].frames = run.observed->places[run.observed->sites[1].place.value()].frames;
  OperatorSite product{.boundary = "forward", .name = "aten::mm", .place = 1};
  OperatorSite inner{.boundary = "forward", .name = "aten::empty", .parent = "aten::mm", .place = 1};
  inner.allocated_bytes = 2 * 6'146;
  OperatorSite elsewhere = product;
  elsewhere.place = 0;
  elsewhere.allocated_bytes = 2 * 9'999;
  counted.sites = {inner, product, elsewhere};
  const ProfileRun* runs[] = {&run};
  const auto rows = operator_table(runs, run.peaks, SampleProfileInput::step_ns, &counted).rows;
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].site.allocated_bytes, 4'097) << "4097 of 6146: by what each shape writes";
  EXPECT_EQ(rows[1].site.allocated_bytes, 2'049);
  EXPECT_EQ(rows[2].site.allocated_bytes, 0);
}

TEST(OperatorTable, OtherSizesAreOtherRows) {
  std::vector<ProfileRun> runs(1, SampleProfileInput::profile_run());
  OperatorSite other = runs[0].observed->sites[1];
  other.inputs = {{.sizes = {2, 2}, .strides = {2, 1}, .dtype = "float32"}};
  runs[0].observed->sites.push_back(other);
  EXPECT_EQ(table_of(runs).rows.size(), 4U);
}

TEST(OperatorTable, CallsThatFewStepsMakeAreNotRoundedAway) {
  std::vector<ProfileRun> runs(1, SampleProfileInput::profile_run());
  runs[0].observed->sites[1].calls = 1;  // in four steps
  const OperatorTable table = table_of(runs);
  EXPECT_EQ(table.rows[0].fractional_calls, 0.25);
  EXPECT_EQ(table.rows[0].site.calls, 0);
  EXPECT_FALSE(table.rows[1].fractional_calls);
}

TEST(OperatorTable, NamesOperatorsWhoseFlopsAreUnknownAboveTwoPercent) {
  std::vector<ProfileRun> runs(1, SampleProfileInput::profile_run());
  runs[0].observed->sites[0].has_formula = false;
  runs[0].observed->sites[2].has_formula = false;
  runs[0].observed->sites[2].self_ns = 4 * 190'000;  // 1.9 %
  EXPECT_THAT(table_of(runs).without_formula, ElementsAre("aten::add, 20.0 % of the step"));
}

}  // namespace
}  // namespace stepgate
