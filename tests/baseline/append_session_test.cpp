#include "baseline/append_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(AppendSession, KeepsTheOrderOfTime) {
  Baseline baseline = runner_sample(1000);
  baseline = append_session(baseline, session_at(3000, 1e7), baseline.key);
  baseline = append_session(baseline, session_at(2000, 1e7), baseline.key);
  ASSERT_EQ(baseline.sessions.size(), 3U);
  EXPECT_EQ(baseline.sessions[1].unix_s, 2000);
  EXPECT_EQ(baseline.sessions[2].unix_s, 3000);
}

TEST(AppendSession, KeepsTheNewestTwenty) {
  Baseline baseline = runner_sample(1);
  for (std::int64_t i = 2; i <= 25; ++i) baseline = append_session(baseline, session_at(i, 1e7), baseline.key);
  ASSERT_EQ(baseline.sessions.size(), max_sessions);
  EXPECT_EQ(baseline.sessions.front().unix_s, 6);
  EXPECT_EQ(baseline.sessions.back().unix_s, 25);
}

TEST(AppendSession, RefusesOtherFactsInBothDirections) {
  const Baseline baseline = runner_sample();
  EXPECT_THAT(
      error_of([&] {
        append_session(baseline, session_at(2, 1), {{"gpu", "H100"}, {"cudnn", "9.1"}});
      }),
      AllOf(HasSubstr("gpu was H200, is H100"), HasSubstr("cudnn was (unknown), is 9.1"), HasSubstr("--replace")));
  EXPECT_THAT(error_of([&] { append_session(baseline, session_at(2, 1), {}); }),
              HasSubstr("gpu was H200, is (unknown)"));
}

TEST(AppendSession, LeavesOutSettingsOfTheGpuThatAnOlderBaselineLacks) {
  const Baseline baseline = runner_sample(1000);
  Fingerprint key = baseline.key;
  key["gpu_ecc"] = "on";
  key["tf32_matmul"] = "off";
  const Baseline appended = append_session(baseline, session_at(2000, 1e7), key);
  EXPECT_EQ(appended.sessions.size(), 2U);
  EXPECT_EQ(appended.key, baseline.key) << "it holds for all sessions";

  Baseline newer = baseline;
  newer.key["gpu_ecc"] = "off";
  EXPECT_THAT(error_of([&] { append_session(newer, session_at(2000, 1e7), key); }),
              HasSubstr("gpu_ecc was off, is on"));
}

TEST(AppendSession, RefusesASessionUnderAnotherDriverOfTheGpu) {
  Baseline baseline = runner_sample(1000);
  baseline.key = {{"device", "cuda"}, {"gpu", "H200"}, {"gpu_driver", "580.65.06"}};
  EXPECT_THAT(error_of([&] {
                append_session(baseline, session_at(2000, 1e7),
                               {{"device", "cuda"}, {"gpu", "H200"}, {"gpu_driver", "580.95.05"}});
              }),
              AllOf(HasSubstr("gpu_driver was 580.65.06, is 580.95.05"), HasSubstr("--replace")));

  baseline.key = {{"device", "cpu"}, {"gpu_driver", "580.65.06"}};  // as an older version stored it
  EXPECT_EQ(append_session(baseline, session_at(2000, 1e7), {{"device", "cpu"}}).sessions.size(), 2U);
}

TEST(AppendSession, RefusesTheSameSessionTwice) {
  const Baseline baseline = runner_sample(1000);
  EXPECT_THAT(error_of([&] { append_session(baseline, session_at(1000, 1e7), baseline.key); }),
              HasSubstr("in the baseline already"));
  Session other_commit = session_at(1000, 1e7);
  other_commit.commit = "3333333";
  EXPECT_EQ(append_session(baseline, other_commit, baseline.key).sessions.size(), 2U);
}

}  // namespace
}  // namespace stepgate
