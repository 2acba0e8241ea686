#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(MemoryGrowth, NamesTheBoundaryWhosePeakRoseAndEveryByte) {
  SampleCase sample;
  sample.current.bytes["peak_allocated_bytes"] = {4096, 4100};
  sample.current.peak_by_boundary = {{"forward", 4096}, {"backward", 4100}, {"optimizer", 2000}};
  sample.red("peak_allocated_bytes");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "peak-grew");
  EXPECT_EQ(findings[0].message, "peak allocated +4 B: backward's peak rose most, +100 B");
  EXPECT_THAT(findings[0].advice, HasSubstr("in that boundary"));
}

TEST(MemoryGrowth, TellsWhatLivesThroughTheWholeStep) {
  SampleCase sample;
  sample.current.bytes["peak_allocated_bytes"] = {4608};
  for (auto& [boundary, peak] : sample.current.peak_by_boundary) peak += 512;
  sample.current.bytes["resident_bytes"] = {1536};
  sample.red("peak_allocated_bytes");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0].message, HasSubstr("every boundary's peak rose by +512 B"));
  EXPECT_THAT(findings[0].advice, testing::Not(HasSubstr("in that boundary"))) << "none was named";
  EXPECT_EQ(name_of(findings[1].code), "kept-alive");
  EXPECT_EQ(findings[1].severity, Severity::cause);
}

TEST(MemoryGrowth, ALeakHasTheGraphAdviceAndHidesItsOtherFindings) {
  SampleCase sample;
  sample.current.bytes["leak_bytes_per_step"] = {2048};
  sample.current.bytes["resident_bytes"] = {9000};
  sample.red("leak_bytes_per_step");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "leak-grew");
  EXPECT_THAT(findings[0].message, HasSubstr("each step leaves 2 048 B behind"));
  EXPECT_THAT(findings[0].advice, HasSubstr("graph"));
}

/// The logits of the last step, kept in a member: their size is that of the batch, and batches have many lengths.
TEST(MemoryGrowth, ALevelThatGoesUpAndDownIsKeptMemoryAndNoLeak) {
  SampleCase sample;
  sample.current.bytes["leak_bytes_per_step"] = {2048};
  sample.current.bytes["resident_bytes"] = {9000};
  sample.current.growth["leak_bytes_per_step"] = {{.per_step = 2048, .noise = 1500, .steps = 10, .rises = 1}};
  sample.red("leak_bytes_per_step");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "kept-alive");
  EXPECT_EQ(findings[0].severity, Severity::cause);
}

TEST(MemoryGrowth, ALeakStandsOutFromTheNoiseOrRepeatsOrHasNoOtherName) {
  for (const LevelGrowth& growth : {LevelGrowth{.per_step = 2048, .noise = 900, .steps = 10},
                                    LevelGrowth{.per_step = 2048, .noise = 1500, .steps = 10, .in_every_step = true},
                                    LevelGrowth{.per_step = 2048, .noise = 1500, .steps = 10, .repeated = true}}) {
    SampleCase sample;
    sample.current.bytes["leak_bytes_per_step"] = {2048};
    sample.current.bytes["resident_bytes"] = {9000};
    sample.current.growth["leak_bytes_per_step"] = {growth};
    sample.red("leak_bytes_per_step");
    EXPECT_EQ(name_of(explain_memory(sample.input())[0].code), "leak-grew") << growth.noise;
  }
  SampleCase sample;  // resident memory as before
  sample.current.bytes["leak_bytes_per_step"] = {2048};
  sample.current.growth["leak_bytes_per_step"] = {{.per_step = 2048, .noise = 1500, .steps = 10}};
  sample.red("leak_bytes_per_step");
  EXPECT_EQ(name_of(explain_memory(sample.input())[0].code), "leak-grew");
}

/// A list of loss.detach(): each graph is gone when its step ends.
TEST(MemoryGrowth, AKeptTensorWithoutItsGraphIsNotToldToDetach) {
  SampleCase sample;
  sample.current.bytes["leak_bytes_per_step"] = {64};
  sample.current.counts.per_step["held_graphs_per_step"] = {0, 0, 0, 0};
  sample.red("leak_bytes_per_step");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].advice, HasSubstr("no graph of a loss outlives its step"));
  EXPECT_THAT(findings[0].advice, testing::Not(HasSubstr("loss.detach()")));
  sample.current.counts.per_step["held_graphs_per_step"] = {3, 4, 5, 6};
  sample.current.counts.by_boundary["held_graphs_per_step"] = {{"logging", 18}};
  EXPECT_THAT(explain_memory(sample.input())[0].advice, HasSubstr("loss.detach()"));
}

TEST(MemoryGrowth, NamesTheHostHeapThatGrows) {
  SampleCase sample;
  sample.current.bytes["host_heap_growth_bytes_per_step"] = {262160, 262176};
  sample.red("host_heap_growth_bytes_per_step");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "counter-grew");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("host heap growth: about 256.0 KiB per step (0 B before)"));
  EXPECT_THAT(findings[0].advice, HasSubstr("container"));
}

TEST(MemoryGrowth, GrowthBelowTheFloorIsSaidAsItWasJudged) {
  SampleCase sample;
  sample.current.bytes["host_heap_growth_bytes_per_step"] = {0, 0};
  MetricVerdict& verdict = sample.red("host_heap_growth_bytes_per_step");
  verdict.baseline = 300;
  verdict.current = 12'000;
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("host heap growth: about 11.7 KiB per step (300 B before)"));
}

TEST(MemoryGrowth, NamesAHostHeapThatGrowsInChunksOnce) {
  SampleCase sample;
  sample.current.bytes["host_heap_chunks_bytes_per_step"] = {65'536, 65'536};
  sample.red("host_heap_chunks_bytes_per_step");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "counter-grew");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("host heap growth in chunks: about 64.0 KiB per step (0 B before)"));
  EXPECT_THAT(findings[0].advice, HasSubstr("container"));

  sample.current.bytes["host_heap_growth_bytes_per_step"] = {65'536, 65'536};
  sample.red("host_heap_growth_bytes_per_step");
  const auto both = explain_memory(sample.input());
  ASSERT_EQ(both.size(), 1U) << "chunks in each fourth step are growth in twelve steps, too";
  EXPECT_EQ(both[0].metric, "host_heap_growth_bytes_per_step");
}

TEST(MemoryGrowth, TheHostHeapOfALeakedTensorIsNoSecondCause) {
  SampleCase sample;
  sample.current.bytes["leak_bytes_per_step"] = {2048};
  sample.current.bytes["host_heap_growth_bytes_per_step"] = {9000};
  sample.red("leak_bytes_per_step");
  sample.red("host_heap_growth_bytes_per_step");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "leak-grew");
}

TEST(MemoryGrowth, AHostHeapThatGrowsAsAcceptedIsNoFinding) {
  SampleCase sample;
  sample.portable.bytes["host_heap_growth_bytes_per_step"] = {9000};
  sample.current.bytes["host_heap_growth_bytes_per_step"] = {9000};
  EXPECT_THAT(explain_memory(sample.input()), IsEmpty());
}

MemoryLedger ledger_with(std::map<std::string, std::int64_t> bytes) {
  std::int64_t peak = 0;
  for (const auto& [kind, amount] : bytes) peak += amount;
  return {.peak_bytes = peak, .step = 1, .boundary = "backward", .bytes = std::move(bytes)};
}

TEST(MemoryGrowth, NamesTheKindThatGrewWhereBothSidesHaveALedger) {
  SampleCase sample;
  sample.current.bytes["peak_allocated_bytes"] = {5120};
  sample.current.peak_by_boundary["backward"] = 5024;
  sample.red("peak_allocated_bytes");
  sample.current.ledger = ledger_with({{"activations", 3020}, {"parameters", 2100}});
  EXPECT_THAT(explain_memory(sample.input())[0].message, testing::Not(HasSubstr("grew most")));
  sample.portable.ledger = ledger_with({{"activations", 2000}, {"parameters", 2000}, {"inputs", 96}});
  EXPECT_EQ(explain_memory(sample.input())[0].message,
            "peak allocated +1 024 B: backward's peak rose most, +1 024 B; of what is live at the peak, in backward, "
            "activations grew most, +1 020 B");
}

TEST(MemoryGrowth, ALeakNamesTheKindThatPilesUp) {
  SampleCase sample;
  sample.current.bytes["leak_bytes_per_step"] = {100};
  sample.red("leak_bytes_per_step");
  sample.portable.ledger = ledger_with({{"activations", 2000}});
  sample.current.ledger = ledger_with({{"activations", 3500}});
  EXPECT_THAT(explain_memory(sample.input())[0].message, HasSubstr("in backward, activations grew most, +1 500 B"));
}

TEST(MemoryGrowth, SaysNothingWhereNothingGrew) {
  SampleCase sample;
  sample.judged("peak_allocated_bytes", Status::pass);
  EXPECT_THAT(explain_memory(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
