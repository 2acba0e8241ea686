#include "experiment/plan/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "experiment/fake_build.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Project, ARunnerClassThatIsNoFolderIsRefusedWhateverIsMeasured) {
  const FakeBuild build("good");
  for (const char* hostile : {"../../x", "/tmp/x", "", "a/b", "H200", "a b"}) {
    EXPECT_THAT(refusal_of([&] { read_project({.build = build.root(), .runner_class = hostile}); }),
                HasSubstr("is not of the form [a-z0-9_-]+"))
        << hostile;
    EXPECT_NE(refusal_of([&] { project_at_hand({.build = build.root(), .runner_class = hostile}); }), "") << hostile;
  }
  EXPECT_THAT(refusal_of([&] { read_project({.build = build.root(), .runner_class = "portable"}); }),
              HasSubstr("hold on every machine"));
  EXPECT_EQ(read_project({.build = build.root(), .runner_class = "h200-16c"}).runner_class, "h200-16c");
}

TEST(Project, ASuiteThatLeavesThePoliciesIsRefused) {
  const FakeBuild build("good");
  const Project project = build.project();
  EXPECT_THAT(refusal_of([&] { read_policy(project, "../.."); }), HasSubstr("suite '../..'"));
  EXPECT_THAT(refusal_of([&] { policy_digest(project, "/etc"); }), HasSubstr("suite '/etc'"));
}

TEST(Project, TheDigestOfAPolicyFollowsItsFile) {
  const FakeBuild build("good");
  const Project project = build.project();
  const std::string before = policy_digest(project, "fake");
  EXPECT_EQ(policy_digest(project, "other"), "") << "it has no file";
  Policy other;
  other.alpha = 0.01;
  build.write_policy(other);
  EXPECT_NE(policy_digest(project, "fake"), before);
}

}  // namespace
}  // namespace stepgate
