#include "report/gate/skip_reason.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

Outcome skipped_with(const std::string& output) {
  Outcome outcome;
  outcome.failures = {{FailureKind::unavailable, "ended with status 77", output}};
  return outcome;
}

TEST(SkipReason, IsWhatTheProgramSays) {
  EXPECT_EQ(skip_reason(skipped_with("perftest: --stepgate_device=cuda: no CUDA device\nnext: nvidia-smi\n")),
            "no CUDA device; next: nvidia-smi");
}

TEST(SkipReason, AnOptionOfTheProgramIsNoRemedyForAUser) {
  EXPECT_EQ(skip_reason(skipped_with("perftest: this LibTorch was built without CUDA\n"
                                     "next: build against a CUDA LibTorch, or --stepgate_device=cpu\n")),
            "this LibTorch was built without CUDA");
}

TEST(SkipReason, OfRanksIsWhatARankSaysAndNotThatOneFailed) {
  EXPECT_EQ(skip_reason(skipped_with("[rank 1] perftest: --stepgate_device=cuda: no CUDA device\n"
                                     "[rank 1] next: nvidia-smi\n"
                                     "perftest: rank 1 of 2 failed with status 77\n")),
            "no CUDA device; next: nvidia-smi");
}

TEST(SkipReason, WithoutOutputIsTheFailure) { EXPECT_EQ(skip_reason(skipped_with("")), "ended with status 77"); }

}  // namespace
}  // namespace stepgate
