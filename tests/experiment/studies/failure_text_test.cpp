#include "experiment/studies/failure_text.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(FailureText, EndsWithTheLastLineOfTheProcess) {
  ReplicateFailure failure;
  failure.message = "ended with status 1";
  EXPECT_EQ(failure_text(failure), "ended with status 1");
  failure.output_tail = "step 1\nperftest: no such file\n\n";
  EXPECT_EQ(failure_text(failure), "ended with status 1: perftest: no such file");
  failure.output_tail = "one line";
  EXPECT_EQ(failure_text(failure), "ended with status 1: one line");
}

TEST(RunAgainText, NamesTheGpuThatTheProcessHad) {
  EXPECT_EQ(run_again_text("a/b/c", Group::exact, std::nullopt), "stepgate run a/b/c --tier exact");
  EXPECT_EQ(run_again_text("a/b/c", Group::timed, std::nullopt), "stepgate run a/b/c --tier timed");
  const EmulatedGpu gpu{.device = {.model = "h100", .devices = 2, .values = true}, .folder = {}};
  EXPECT_EQ(run_again_text("a/b/c", Group::exact, gpu),
            "stepgate run a/b/c --tier exact --device emulated:h100:2:values");
}

}  // namespace
}  // namespace stepgate
