#include "baseline/baseline_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "baseline/sample_baseline.h"

namespace stepgate {
namespace {

using testing::StartsWith;

std::filesystem::path path_of(Scope scope, const std::string& runner_class, const std::string& case_name) {
  return baseline_path("root", {scope, runner_class, case_name});
}

TEST(BaselinePath, IsRootClassCase) {
  EXPECT_EQ(path_of(Scope::runner, "h200-16c", "language/char_lm/tiny"), "root/h200-16c/language/char_lm/tiny.json");
}

TEST(BaselinePath, EachScopeOfACaseHasAFileOfItsOwn) {
  std::vector<std::string> files;
  for (const BaselineName& name : baseline_names("h200-16c", "a/b")) files.push_back(baseline_path("root", name));
  EXPECT_THAT(files,
              testing::ElementsAre("root/portable/a/b.json", "root/h200-16c/a/b.json", "root/h200-16c/a/b.exact.json"));
  EXPECT_EQ(baseline_path("root", name_of(device_sample())), "root/h200-16c/suite/case_one/tiny.exact.json");
}

TEST(BaselinePath, RefusesClassesThatLeaveTheirFolder) {
  for (const char* bad : {"", "..", "a/b", "H200", "a b", "a.b", "a\n"}) {
    EXPECT_THAT(error_of([&] { path_of(Scope::runner, bad, "a/b"); }), StartsWith("usage runner class '")) << bad;
  }
}

TEST(BaselinePath, RefusesCasesThatLeaveTheirFolder) {
  for (const char* bad : {"", "alone", "/a/b", "a/b/", "a//b", "../a", "a/../b", "A/b", "a/b-c", "a/b.json"}) {
    EXPECT_THAT(error_of([&] { path_of(Scope::device, "local", bad); }), StartsWith("usage case name '")) << bad;
  }
}

}  // namespace
}  // namespace stepgate
