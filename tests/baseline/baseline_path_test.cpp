#include "baseline/baseline_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

using testing::StartsWith;

TEST(BaselinePath, IsRootClassCase) {
  EXPECT_EQ(baseline_path("root", "h200-16c", "language/char_lm/tiny"), "root/h200-16c/language/char_lm/tiny.json");
}

TEST(BaselinePath, RefusesClassesThatLeaveTheirFolder) {
  for (const char* bad : {"", "..", "a/b", "H200", "a b", "a.b", "a\n"}) {
    EXPECT_THAT(error_of([&] { baseline_path("root", bad, "a/b"); }), StartsWith("usage runner class '")) << bad;
  }
}

TEST(BaselinePath, RefusesCasesThatLeaveTheirFolder) {
  for (const char* bad : {"", "alone", "/a/b", "a/b/", "a//b", "../a", "a/../b", "A/b", "a/b-c", "a/b.json"}) {
    EXPECT_THAT(error_of([&] { baseline_path("root", "local", bad); }), StartsWith("usage case name '")) << bad;
  }
}

}  // namespace
}  // namespace stepgate
