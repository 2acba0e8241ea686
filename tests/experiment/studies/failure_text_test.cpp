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

}  // namespace
}  // namespace stepgate
