// What `stepgate profile` leaves beside profile.json for people and other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <pugixml.hpp>
#include <utility>
#include <vector>

#include "report/profile/folded_stacks.h"
#include "report/profile/operator_lines.h"
#include "report/profile/profile_markdown.h"
#include "report/profile/roofline_plot.h"
#include "support/golden.h"
#include "support/sample_profile.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

TEST(GoldenProfile, Markdown) { expect_golden("report/profile.md", render_profile_markdown(sample_profile(), {})); }

TEST(ProfileMarkdown, WhatCallsCostStaysInItsTable) {
  Profile profile = sample_profile();
  profile.call_costs[0].name = "f<int>|g\n# h";
  const std::string text = render_profile_markdown(profile, {});
  EXPECT_THAT(text, HasSubstr("| place | calls a step | seen by the observer | the step when they run twice | word |"));
  EXPECT_THAT(text, HasSubstr(" | 96 | 31 % | +28 % [+26, +31] | proven |\n"));
  EXPECT_THAT(text, HasSubstr("it calls nothing that may run twice"));
  EXPECT_THAT(text, testing::Not(HasSubstr("f<int>")));
  EXPECT_THAT(text, testing::Not(HasSubstr("\n# h")));
  profile.call_costs.clear();
  EXPECT_THAT(render_profile_markdown(profile, {}), testing::Not(HasSubstr("What calls cost")));
}

TEST(GoldenProfile, Roofline) { expect_golden("report/roofline.svg", render_roofline(sample_profile())); }

ObservedWork two_sites() {
  ObservedWork work{.steps = 2};
  work.places = {{.offsets = {1, 2}, .frames = {{"CharLm::loss", "a/char_lm.cpp", 61}, {"main", "a/main.cpp", 9}}}};
  work.sites = {{.boundary = "forward", .name = "aten::mm", .parent = "aten::linear", .place = 0, .self_ns = 4000},
                {.boundary = "backward", .name = "aten::mm; rm", .self_ns = 600}};
  return work;
}

TEST(FoldedStacks, HoldOneStepAsTheMeanOfProcesses) {
  const ObservedWork one = two_sites();
  ObservedWork other = two_sites();
  other.sites[0].self_ns = 8000;
  EXPECT_EQ(folded_stacks({&one, &other}),
            "backward;aten::mm: rm 300\n"
            "forward;main (main.cpp:9);CharLm::loss (char_lm.cpp:61);aten::linear;aten::mm 3000\n");
  EXPECT_EQ(folded_stacks({}), "");
}

TEST(Roofline, SaysWhyItIsEmpty) {
  Profile profile = sample_profile();
  for (OperatorRow& row : profile.operators) row.site.flops = 0;
  EXPECT_THAT(render_roofline(profile), HasSubstr("no operator with FLOPs"));
}

TEST(Roofline, WithoutPeaksThereIsNone) {
  Profile profile = sample_profile();
  profile.peaks = {};
  EXPECT_EQ(render_roofline(profile), "");
}

TEST(Roofline, MarkersThatWouldLieOnOneAnotherAreSpread) {
  Profile profile = sample_profile();
  profile.operators.assign(6, profile.operators[1]);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(render_roofline(profile).c_str()));
  std::vector<std::pair<double, double>> places;
  for (const auto& found : document.select_nodes("/svg/g[title]/circle")) {
    const auto disc = found.node();
    for (const auto& [x, y] : places) {
      EXPECT_GE(std::hypot(disc.attribute("cx").as_double() - x, disc.attribute("cy").as_double() - y), 13.9);
    }
    places.emplace_back(disc.attribute("cx").as_double(), disc.attribute("cy").as_double());
  }
  EXPECT_EQ(places.size(), 6u);
}

TEST(Roofline, AMarkerLiesAtItsIntensityAndItsRate) {
  Profile profile = sample_profile();
  profile.operators.resize(1);
  OperatorRow& row = profile.operators[0];
  row.site.flops = 1'000'000;
  row.site.bytes = 31'623;  // 10^1.5 FLOPs per byte
  row.self_ns = 316'228;    // 10^9.5 FLOP/s
  profile.peaks = {.flops_per_s = {{"float32", 1e11}}, .bandwidth = {{1024, 1e10}}};
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(render_roofline(profile).c_str()));
  const auto disc = document.select_node("/svg/g[title]/circle").node();
  // Axes from 10 to 100 FLOPs per byte and from 1 to 100 GFLOP/s.
  EXPECT_NEAR(disc.attribute("cx").as_double(), 342, 0.2) << "in the middle";
  EXPECT_NEAR(disc.attribute("cy").as_double(), 367.5, 0.2) << "a quarter up";
}

TEST(OperatorTable, SortsByWhatIsAskedFor) {
  const auto first = [](OperatorSort sort) {
    return operator_lines(sample_operator_rows(), {.sort = sort}).front().name.substr(0, 12);
  };
  EXPECT_EQ(first(OperatorSort::self), "aten::_scale");
  EXPECT_EQ(first(OperatorSort::calls), "aten::_to_co");
  EXPECT_EQ(first(OperatorSort::bytes), "aten::gelu_b");
  EXPECT_FALSE(operator_sort_named("memory")) << "the observer of a profile does not know it";
  EXPECT_EQ(first(OperatorSort::flops), "aten::mm 512");
  auto rows = sample_operator_rows();
  rows[3].site.allocated_bytes = 1 << 30;
  EXPECT_EQ(operator_lines(rows, {.sort = OperatorSort::allocated}).front().operator_name, rows[3].site.name);
  EXPECT_EQ(operator_sort_named("allocated"), OperatorSort::allocated);
  EXPECT_FALSE(operator_sort_named("selfish"));
}

TEST(OperatorTable, ShapesOfOneCallAreOneRow) {
  auto rows = sample_operator_rows();
  OperatorRow shorter = rows[1];
  shorter.site.inputs[0].sizes = {48, 64};
  shorter.self_ns = 500'000;
  shorter.roof_ns = 100'000;
  shorter.site.calls = 1;
  shorter.fractional_calls = 0.5;
  rows[1].fractional_calls = 3.5;
  OperatorRow half = rows[1];
  half.site.inputs[0].dtype = "bfloat16";
  OperatorRow nowhere = rows[3];
  nowhere.site.inputs[0].sizes = {7, 7};
  rows.insert(rows.end(), {shorter, half, nowhere});
  const auto lines = operator_lines(rows, {});
  ASSERT_EQ(lines.size(), 6u) << "another dtype is another row, and so is a shape of an operator without a place";
  const OperatorLine& product = lines[0];
  EXPECT_EQ(product.name, "aten::mm, 2 shapes");
  EXPECT_EQ(product.self_ns, 1'560'000);
  EXPECT_EQ(product.roof_ns, 790'000);
  EXPECT_DOUBLE_EQ(product.calls, 4);
  EXPECT_EQ(calls_text(product), "4");
  EXPECT_EQ(product.where, "transformer.cpp:41 Block::forward");
  EXPECT_EQ(operator_lines(rows, {.by = OperatorsBy::shape}).size(), 7u);
}

TEST(OperatorTable, ALineSumsItsOperators) {
  auto rows = sample_operator_rows();
  rows[3].at = rows[1].at;
  rows[3].site.boundary = rows[1].site.boundary;
  const auto lines = operator_lines(rows, {.by = OperatorsBy::line});
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].name, "aten::mm and 1 more");
  EXPECT_EQ(lines[0].self_ns, 1'500'000);
  EXPECT_EQ(lines[0].calls, 6);
  EXPECT_EQ(lines[0].where, "transformer.cpp:41 Block::forward");
}

}  // namespace
}  // namespace stepgate
