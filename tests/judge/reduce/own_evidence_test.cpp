// What a program did to itself, as its processes show it.
#include <gtest/gtest.h>

#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

Replicate replicate_with_a_time(std::int64_t index) {
  Replicate replicate;
  replicate.group = Group::timed;
  replicate.index = index;
  replicate.record.emplace();
  StepSample step;
  step.wall_ns = 100;
  replicate.record->timed["e2e"] = {.clock = "steady_clock", .windows = {}, .steps = {step}};
  replicate.record->warmup = Warmup{.first_step_ns = 5000, .steps = 9, .steady = true, .reasons = {}};
  return replicate;
}

CaseValues values_of_both(const Replicate& first, const Replicate& second) {
  Measurement measurement;
  measurement.case_name = "example/mlp/tiny";
  measurement.replicates = {first, second};
  return case_values(measurement);
}

TEST(OwnEvidence, IsTheMostOfAnyProcessThatWasNotSetAside) {
  Replicate first = replicate_with_a_time(0);
  first.evidence.values = {{EvidenceKey::own_wait_fraction, 0.2}, {EvidenceKey::steal_fraction, 0.5}};
  Replicate second = replicate_with_a_time(1);
  second.evidence.values = {{EvidenceKey::own_wait_fraction, 0.4}, {EvidenceKey::own_affinity_change, 1}};
  const CaseValues values = values_of_both(first, second);
  EXPECT_EQ(values.own_evidence, (std::map<EvidenceKey, double>{{EvidenceKey::own_wait_fraction, 0.4},
                                                                {EvidenceKey::own_affinity_change, 1}}));
  second.set_aside = "head worked while it waited";
  EXPECT_EQ(values_of_both(first, second).own_evidence.at(EvidenceKey::own_wait_fraction), 0.2);
  EXPECT_EQ(values_of_both(first, second).set_aside, 1);
}

/// Only processes of alternating windows that were busy while they waited are: pairs with such a side are not judged.
TEST(OwnEvidence, AProcessThatWasRepeatedIsNotSetAside) {
  Replicate failed = replicate_with_a_time(0);
  failed.failure = ReplicateFailure{FailureKind::infrastructure, "Xid 79", ""};
  failed.set_aside = "infrastructure: Xid 79";
  const CaseValues values = values_of_both(failed, replicate_with_a_time(1));
  EXPECT_EQ(values.set_aside, 0);
  EXPECT_TRUE(values.failures.empty());
}

}  // namespace
}  // namespace stepgate
