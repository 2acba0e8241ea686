#include "baseline/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(MergePending, TheFirstBaselineFreezesTheAnchor) {
  const Merged merged = merge_pending(nullptr, portable_sample(), {});
  EXPECT_EQ(merged.kind, AcceptKind::created);
  ASSERT_TRUE(merged.baseline.anchor);
  EXPECT_EQ(merged.baseline.anchor->values.at("operators_per_step"), 412);
}

TEST(MergePending, PortableReplacesAndKeepsTheAnchor) {
  const Baseline first = merge_pending(nullptr, portable_sample(), {}).baseline;
  Baseline pending = portable_sample();
  pending.exact["operators_per_step"] = {413, 413};
  const Merged merged = merge_pending(&first, pending, {});
  EXPECT_EQ(merged.kind, AcceptKind::replaced);
  EXPECT_EQ(merged.baseline.exact, pending.exact);
  EXPECT_EQ(merged.baseline.anchor->values.at("operators_per_step"), 412);
  EXPECT_EQ(merged.moved, "operators_per_step 412 -> 413 (+0.24 %)");
}

TEST(MergePending, ADifferentKeyReplacesTheAnchorWithANote) {
  const Baseline first = merge_pending(nullptr, portable_sample(), {}).baseline;
  Baseline pending = portable_sample();
  pending.key["torch"] = "2.12.0";
  pending.exact["operators_per_step"] = {413, 413};
  const Merged merged = merge_pending(&first, pending, {});
  EXPECT_EQ(merged.baseline.anchor->values.at("operators_per_step"), 413);
  EXPECT_THAT(merged.notes, ElementsAre(HasSubstr("becomes the new anchor")));
}

TEST(MergePending, EqualValuesChangeNothing) {
  Baseline first = merge_pending(nullptr, portable_sample(), {}).baseline;
  first.provenance.reason = "kept";
  const Merged merged = merge_pending(&first, portable_sample(), {});
  EXPECT_EQ(merged.kind, AcceptKind::unchanged);
  EXPECT_EQ(merged.baseline.provenance.reason, "kept");
}

TEST(MergePending, RunnerAppendsASessionOfTheSameCode) {
  const Baseline first = merge_pending(nullptr, runner_sample(1000, 1e7), {}).baseline;
  const Merged merged = merge_pending(&first, runner_sample(9000, 1.01e7), {});
  EXPECT_EQ(merged.kind, AcceptKind::appended);
  EXPECT_EQ(merged.baseline.sessions.size(), 2U);
  EXPECT_EQ(merged.baseline.provenance.sessions, 2);
  EXPECT_EQ(merged.baseline.provenance.replicates, 6);
}

TEST(MergePending, RunnerRefusesToMixOtherTimesUnlessToldWhichIsMeant) {
  const Baseline first = runner_sample(1000, 1e7);
  const Baseline slower = runner_sample(9000, 1.2e7);
  EXPECT_THAT(error_of([&] { merge_pending(&first, slower, {}); }), StartsWith("baseline suite/case_one/tiny"));
  EXPECT_THAT(error_of([&] { merge_pending(&first, slower, {}); }), HasSubstr("moved by +20.0 %"));
  EXPECT_EQ(merge_pending(&first, slower, {.append = true}).baseline.sessions.size(), 2U);
  const Merged reset = merge_pending(&first, slower, {.replace = true});
  EXPECT_EQ(reset.kind, AcceptKind::reset);
  EXPECT_EQ(reset.baseline.sessions.size(), 1U);
  EXPECT_THAT(reset.notes, ElementsAre("1 stored sessions were removed"));
}

TEST(MergePending, CountersThatAnOlderVersionKeptWithTheTimesAreDroppedWithANote) {
  Baseline first = runner_sample(1000, 1e7);
  first.exact = {{"kernels_per_step", {5}}};
  first.operators = {{"forward", {{"aten::mm", 5}}}};
  const Baseline pending = runner_sample(9000, 1e7);
  for (const MergeRules rules : {MergeRules{}, MergeRules{.append = true}}) {
    const Merged merged = merge_pending(&first, pending, rules);
    EXPECT_FALSE(has_exact_half(merged.baseline));
    EXPECT_TRUE(merged.baseline.operators.empty());
    EXPECT_EQ(merged.baseline.sessions.size(), 2U);
    EXPECT_THAT(merged.notes, testing::Contains(HasSubstr(".exact.json")));
  }
  EXPECT_FALSE(has_exact_half(merge_pending(nullptr, first, {}).baseline)) << "a pending file of an older version";
}

TEST(MergePending, CountersOfAGpuAreReplacedAndKeepTheirAnchor) {
  const Baseline first = merge_pending(nullptr, device_sample(), {}).baseline;
  Baseline pending = device_sample();
  pending.exact["kernels_per_step"] = {27, 27};
  const Merged merged = merge_pending(&first, pending, {});
  EXPECT_EQ(merged.kind, AcceptKind::replaced);
  EXPECT_EQ(merged.baseline.exact, pending.exact);
  EXPECT_THAT(merged.moved, HasSubstr("kernels_per_step 26 -> 27"));
  EXPECT_EQ(merged.baseline.anchor->values.at("kernels_per_step"), 26);
  EXPECT_EQ(merge_pending(&first, first, {}).kind, AcceptKind::unchanged);
  EXPECT_THAT(error_of([&] { merge_pending(&first, pending, {.append = true}); }), HasSubstr("--tier timed"));
}

TEST(MergePending, RunnerNeedsTheSameKeyUnlessReplaced) {
  const Baseline first = runner_sample(1000, 1e7);
  Baseline pending = runner_sample(9000, 1e7);
  pending.key["gpu"] = "H100";
  EXPECT_THAT(error_of([&] { merge_pending(&first, pending, {}); }), HasSubstr("gpu was H200, is H100"));
  EXPECT_THAT(error_of([&] { merge_pending(&first, pending, {.append = true}); }), HasSubstr("gpu was H200"));
  EXPECT_EQ(merge_pending(&first, pending, {.replace = true}).baseline.key, pending.key);
}

TEST(MergePending, PortableHasNothingToAppend) {
  EXPECT_THAT(error_of([&] { merge_pending(nullptr, portable_sample(), {.append = true}); }), StartsWith("usage "));
}

TEST(MergePending, AnotherSwitchReplacesEqualValuesAndANewOneDoesNot) {
  Baseline pending = portable_sample();
  pending.switches = {{"mkldnn_enabled", "off"}};
  Baseline first = merge_pending(nullptr, portable_sample(), {}).baseline;
  EXPECT_EQ(merge_pending(&first, pending, {}).kind, AcceptKind::unchanged);
  first.switches = {{"mkldnn_enabled", "on"}};
  const Merged merged = merge_pending(&first, pending, {});
  EXPECT_EQ(merged.kind, AcceptKind::replaced);
  EXPECT_EQ(merged.baseline.switches, pending.switches);
}

TEST(MergePending, SessionsKeepTheSwitchesThatAllOfThemHad) {
  Baseline first = runner_sample(1000, 1e7);
  first.switches = {{"mkldnn_enabled", "on"}, {"nnpack_enabled", "on"}, {"sdp_math", "on"}};
  Baseline second = runner_sample(9000, 1.01e7);
  second.switches = {{"mkldnn_enabled", "off"}, {"nnpack_enabled", "on"}};
  EXPECT_EQ(merge_pending(&first, second, {}).baseline.switches, (Fingerprint{{"nnpack_enabled", "on"}}));
}

}  // namespace
}  // namespace stepgate
