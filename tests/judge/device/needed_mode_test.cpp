#include "judge/device/needed_mode.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

Replicate counted() {
  Replicate replicate;
  replicate.group = Group::exact;
  replicate.record.emplace();
  return replicate;
}

Replicate failed(FailureKind kind) {
  Replicate replicate;
  replicate.group = Group::exact;
  replicate.failure = ReplicateFailure{kind, "why", ""};
  return replicate;
}

CaseMode mode_of(const std::vector<Replicate>& replicates) {
  Measurement measurement;
  measurement.case_name = "a/b/c";
  measurement.replicates = replicates;
  return needed_mode(measurement);
}

TEST(NeededMode, IsCountsWhereAProcessCounted) {
  EXPECT_EQ(mode_of({counted()}), (CaseMode{"a/b/c", NeededMode::counts}));
}

TEST(NeededMode, IsValuesWhereAProcessSaysSo) {
  EXPECT_EQ(mode_of({failed(FailureKind::needs_values)}), (CaseMode{"a/b/c", NeededMode::values, "why"}));
}

TEST(NeededMode, IsUnknownWhereNothingWasCounted) {
  for (const FailureKind kind : {FailureKind::crashed, FailureKind::too_few_gpus, FailureKind::bad_record}) {
    EXPECT_EQ(mode_of({counted(), failed(kind)}), (CaseMode{"a/b/c", NeededMode::unknown, "why"}));
  }
  EXPECT_EQ(mode_of({}).mode, NeededMode::unknown);
}

TEST(NeededMode, AProcessThatWasRepeatedSaysNothing) {
  Replicate broken = failed(FailureKind::infrastructure);
  broken.set_aside = "infrastructure: Xid 79";
  EXPECT_EQ(mode_of({broken, counted()}).mode, NeededMode::counts);
}

}  // namespace
}  // namespace stepgate
