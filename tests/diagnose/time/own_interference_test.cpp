#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/questions.h"
#include "diagnose/sample_case.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

JudgedComparison that_waits_for_itself(double base, double head, Status step) {
  SampleCase sample;
  sample.timed("step_time_ns", step, 10e6, step == Status::regressed ? 20e6 : 10e6);
  sample.current.own_evidence[EvidenceKey::own_wait_fraction] = head;
  JudgedComparison input = sample.input();
  input.reference = PairedReference{.own_evidence = {{EvidenceKey::own_wait_fraction, base}}};
  return input;
}

TEST(OwnInterference, ANewWaitForItselfIsACauseWhereTheStepIsSlower) {
  const auto findings = explain_own_interference(that_waits_for_itself(0.01, 0.48, Status::regressed));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(name_of(findings[0].code), "disturbs-itself");
  EXPECT_EQ(findings[0].severity, Severity::cause);
  EXPECT_THAT(findings[0].message, HasSubstr("48 % of their ready time"));
}

TEST(OwnInterference, IsANoteWhereItCostsNothingOrIsNotNew) {
  EXPECT_EQ(explain_own_interference(that_waits_for_itself(0, 0.48, Status::pass))[0].severity, Severity::note);
  EXPECT_EQ(explain_own_interference(that_waits_for_itself(0.45, 0.48, Status::regressed))[0].severity, Severity::note);
  EXPECT_THAT(explain_own_interference(that_waits_for_itself(0, 0.05, Status::regressed)), IsEmpty());
}

TEST(OwnInterference, LeavingTheMeasuredCpusIsSaid) {
  SampleCase sample;
  sample.current.own_evidence[EvidenceKey::own_affinity_change] = 1;
  const auto findings = explain_own_interference(sample.input());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::note) << "without a base build nobody knows whether it is new";
  EXPECT_THAT(findings[0].message, HasSubstr("CPUs that are not measured"));
}

}  // namespace
}  // namespace stepgate
