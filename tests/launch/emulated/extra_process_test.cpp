#include "launch/emulated/extra_process.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(ExtraProcess, AFaultOfTheGpuIsNoneThatWasRepeated) {
  const ReplicateFailure failure =
      failure_of_extra({FailureKind::infrastructure, "exit 3; meanwhile the GPU's driver reported Xid 79", ""}, "it");
  EXPECT_EQ(failure.kind, FailureKind::exited_nonzero) << "the report would say that its repetition failed, too";
  EXPECT_EQ(failure.message, "it: exit 3; meanwhile the GPU's driver reported Xid 79; it was not repeated");
}

TEST(ExtraProcess, AMissingDeviceSkipsNoCase) {
  for (const FailureKind kind : {FailureKind::unavailable, FailureKind::too_few_gpus, FailureKind::gpu_too_small}) {
    const ReplicateFailure failure = failure_of_extra({kind, "no device", ""}, "it");
    EXPECT_EQ(failure.kind, FailureKind::exited_nonzero);
    EXPECT_EQ(failure.message, "it: no device");
  }
}

TEST(ExtraProcess, AnotherFailureKeepsItsKindAndItsOutput) {
  const ReplicateFailure failure = failure_of_extra({FailureKind::timed_out, "after 20 s", "last words"}, "it");
  EXPECT_EQ(failure.kind, FailureKind::timed_out);
  EXPECT_EQ(failure.message, "it: after 20 s");
  EXPECT_EQ(failure.output_tail, "last words");
}

}  // namespace
}  // namespace stepgate
