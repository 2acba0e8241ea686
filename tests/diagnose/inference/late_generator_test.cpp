#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions_of_inference.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

constexpr const char* late_reason = "generator_late_fraction 0.003 above 0.001: the generator of requests was late";

TEST(LateGenerator, IsToldOfTheProcessesThatItDiscarded) {
  SampleCase sample;
  EXPECT_TRUE(explain_late_generator(sample.input()).empty());
  sample.current.tainted = 3;
  EXPECT_TRUE(explain_late_generator(sample.input()).empty()) << "for other reasons";
  sample.current.late_generators = 2;
  sample.current.why_generator_late = late_reason;
  const auto findings = explain_late_generator(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "late-generator");
  EXPECT_EQ(findings[0].severity, Severity::warning) << "it is no cause of a red";
  EXPECT_EQ(findings[0].message,
            std::string("requests at the given rate were announced late in 2 replicates, which were discarded: ") +
                late_reason);
  EXPECT_THAT(findings[0].advice, testing::HasSubstr("stepgate doctor"));
}

TEST(LateGenerator, IsToldOfPairsWhicheverSideItWasOn) {
  JudgedComparison input = SampleCase().input();
  PairedValues pairs;
  pairs.late_generator_pairs = 1;
  pairs.why_generator_late = late_reason;
  input.reference = PairedReference{.pairs = pairs};
  const auto findings = explain_late_generator(input);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("late in 1 pair, which was discarded: generator_late_fraction"));
}

}  // namespace
}  // namespace stepgate
