#include "diagnose/memory_growth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_EQ(findings[0].code, "peak-grew");
  EXPECT_EQ(findings[0].message, "peak allocated +4 B: backward's peak rose most, +100 B");
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
  EXPECT_EQ(findings[1].code, "kept-alive");
  EXPECT_EQ(findings[1].severity, Severity::cause);
}

TEST(MemoryGrowth, ALeakComesWithTheGraphAdviceAndHidesItsOwnEcho) {
  SampleCase sample;
  sample.current.bytes["leak_bytes_per_step"] = {2048};
  sample.current.bytes["resident_bytes"] = {9000};
  sample.red("leak_bytes_per_step");
  const auto findings = explain_memory(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "leak-grew");
  EXPECT_THAT(findings[0].message, HasSubstr("each step leaves 2 048 B behind"));
  EXPECT_THAT(findings[0].advice, HasSubstr("graph"));
}

TEST(MemoryGrowth, SaysNothingWhereNothingGrew) {
  SampleCase sample;
  sample.judged("peak_allocated_bytes", Status::pass);
  EXPECT_THAT(explain_memory(sample.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
