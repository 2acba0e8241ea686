#include "judge/rules/bytes_rule.h"

#include <gtest/gtest.h>

#include <vector>

namespace stepgate {
namespace {

using Bytes = std::vector<std::int64_t>;
const Metric& peak = *find_metric("peak_allocated_bytes");
const Metric& leak = *find_metric("leak_bytes_per_step");

MetricVerdict judge_bytes(const Bytes& current, const Bytes& baseline, const BytesLimits& limits = {},
                          const Metric& metric = peak) {
  MetricVerdict verdict;
  apply_bytes_rule(metric, {.current = current, .baseline = baseline, .interleaved = false}, limits, verdict);
  return verdict;
}

MetricVerdict judge_interleaved(const Bytes& current, const Bytes& baseline, double share) {
  MetricVerdict verdict;
  apply_bytes_rule(peak, {.current = current, .baseline = baseline, .interleaved = true}, {.share = share}, verdict);
  return verdict;
}

TEST(BytesRule, OneByteIsRed) {
  const MetricVerdict verdict = judge_bytes({4097, 4097}, {4096});
  EXPECT_EQ(verdict.status, Status::regressed);
  EXPECT_EQ(name_of(verdict.reason), "above-limit");
  EXPECT_EQ(verdict.detail, "4 096 B -> 4 097 B (+1 B)");
  EXPECT_EQ(verdict.limit, "+0 B");
}

TEST(BytesRule, EqualPassesAndLessIsImproved) {
  EXPECT_EQ(name_of(judge_bytes({4096, 4096}, {4096}).reason), "equal");
  EXPECT_EQ(judge_bytes({4095, 4095}, {4096}).status, Status::improved);
}

TEST(BytesRule, TheLargerToleranceHolds) {
  EXPECT_EQ(name_of(judge_bytes({1100}, {1000}, {.tolerance = 100, .relative_tolerance = 0.05}).reason),
            "within-limit");
  EXPECT_EQ(judge_bytes({1101}, {1000}, {.tolerance = 100, .relative_tolerance = 0.05}).status, Status::regressed);
  EXPECT_EQ(judge_bytes({1200}, {1000}, {.tolerance = 100, .relative_tolerance = 0.2}).status, Status::pass);
  EXPECT_EQ(judge_bytes({1201}, {1000}, {.tolerance = 100, .relative_tolerance = 0.2}).status, Status::regressed);
}

TEST(BytesRule, VaryingBytesAgainstAStoredBaselineAreNeverRed) {
  EXPECT_EQ(name_of(judge_bytes({9000, 9100, 9200, 9300, 9400, 9500}, {4096, 4097}, {.share = 0.5}).reason),
            "bytes-vary");
  EXPECT_EQ(judge_bytes({9000, 9001}, {4096}, {.share = 0.5}).status, Status::inconclusive);
  EXPECT_EQ(judge_bytes({9000, 9000}, {4096, 4097}, {.share = 0.5}).status, Status::inconclusive);
}

TEST(BytesRule, VaryingBytesPassWithinTheLimit) {
  EXPECT_EQ(name_of(judge_bytes({4096, 4110}, {4000, 4110}).reason), "within-limit");
  EXPECT_EQ(name_of(judge_bytes({4096, 4111}, {4000, 4110}).reason), "bytes-vary");
  EXPECT_EQ(name_of(judge_bytes({4096, 4111}, {4000, 4110}, {.tolerance = 1}).reason), "within-limit");
}

TEST(BytesRule, AMetricWithAMarginHasThatInPlaceOfThePolicys) {
  const Metric& instructions = *find_metric("host_instructions_per_step");
  Policy policy;
  policy.bytes_tolerance = 1'000'000;
  const BytesLimits limits = limits_of(instructions, policy, 0.01);
  EXPECT_EQ(limits.tolerance, 0);
  EXPECT_EQ(limits.relative_tolerance, instructions.margin);
  EXPECT_EQ(limits_of(peak, policy, 0.01).tolerance, 1'000'000);
}

TEST(BytesRule, InstructionsAreRedAboveTheMarginBetweenInterleavedBuilds) {
  const Metric& instructions = *find_metric("host_instructions_per_step");
  const auto judge = [&](std::int64_t head, bool interleaved) {
    const Bytes base = {1'000'000, 1'000'010, 1'000'020, 1'000'001, 1'000'002, 1'000'003};
    Bytes current = base;
    for (std::int64_t& value : current) value += head;
    MetricVerdict verdict;
    apply_bytes_rule(instructions, {.current = current, .baseline = base, .interleaved = interleaved},
                     limits_of(instructions, {}, 0.01), verdict);
    return verdict;
  };
  const auto beyond = static_cast<std::int64_t>(instructions.margin * 1'100'000);
  EXPECT_EQ(name_of(judge(beyond / 2, true).reason), "within-limit");
  EXPECT_EQ(judge(beyond, true).status, Status::regressed);
  EXPECT_EQ(name_of(judge(beyond, false).reason), "counts-vary");
  EXPECT_EQ(judge(beyond, false).status, Status::inconclusive);
}

TEST(BytesRule, InterleavedRangesAreRedWhereTheShareAllowsIt) {
  const Bytes low = {1, 2, 3, 4};
  const Bytes high = {5, 6, 7, 8};
  EXPECT_EQ(judge_interleaved(high, low, 1.0 / 69).status, Status::regressed);  // 1/C(8,4) = 1/70
  EXPECT_EQ(judge_interleaved(high, low, 1.0 / 71).status, Status::inconclusive);
}

TEST(BytesRule, InterleavedRangesThatTouchAreNotRed) {
  EXPECT_EQ(judge_interleaved({4, 6, 7, 8}, {1, 2, 3, 4}, 0.5).status, Status::inconclusive);
}

TEST(BytesRule, ANewLeakIsRedUnderAnyTolerance) {
  EXPECT_EQ(name_of(judge_bytes({1, 1}, {0}, {.tolerance = 1024}, leak).reason), "leak");
  EXPECT_EQ(judge_bytes({1, 1}, {0}, {.tolerance = 1024}, leak).status, Status::regressed);
  EXPECT_EQ(judge_bytes({64, 128}, {0}, {}, leak).status, Status::regressed);
  EXPECT_EQ(judge_bytes({0, 128}, {0}, {}, leak).status, Status::inconclusive);
  EXPECT_EQ(judge_bytes({0, 0}, {0}, {}, leak).status, Status::pass);
}

TEST(BytesRule, OnlyGrowthBeyondTheToleranceIsWorthMoreProcesses) {
  const auto grew = [](const std::string& metric, const Bytes& base, const Bytes& head, std::int64_t tolerance = 0) {
    CaseValues before;
    CaseValues now;
    before.bytes[metric] = base;
    now.bytes[metric] = head;
    Policy policy;
    policy.bytes_tolerance = tolerance;
    return bytes_grew(before, now, policy);
  };
  EXPECT_FALSE(grew("peak_allocated_bytes", {4096, 4096}, {4096, 4096}));
  EXPECT_FALSE(grew("peak_allocated_bytes", {4096, 4096}, {4000, 4000}));
  EXPECT_TRUE(grew("peak_allocated_bytes", {4096, 4096}, {4097, 4097}));
  EXPECT_TRUE(grew("peak_allocated_bytes", {4096, 4096}, {4000, 4097})) << "they vary, and may turn out red";
  EXPECT_FALSE(grew("peak_allocated_bytes", {4096, 4096}, {4097, 4097}, 1));
  EXPECT_TRUE(grew("leak_bytes_per_step", {0, 0}, {1, 1}, 1024)) << "no tolerance for a new leak";
  EXPECT_FALSE(grew("host_peak_bytes", {1}, {2})) << "it does not gate";
  EXPECT_FALSE(grew("peak_allocated_bytes", {}, {2}));
}

TEST(BytesRule, AnUnchangedKnownLeakIsNotRed) {
  EXPECT_EQ(judge_bytes({512, 512}, {512}, {}, leak).status, Status::pass);
}

}  // namespace
}  // namespace stepgate
