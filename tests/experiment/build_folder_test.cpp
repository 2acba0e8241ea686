// Where a build and its results are, if nobody says.
#include "experiment/plan/build_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "experiment/plan/project.h"
#include "support/temporary_folder.h"
#include "support/working_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

ManifestCase case_of(const std::string& name, const fs::path& program = "train") {
  return {.name = name, .suite = name.substr(0, name.find('/')), .program = program, .device = Device::cpu};
}

class BuildFolder : public testing::Test {
 protected:
  void write_build(const std::string& folder, const std::string& type = "Release") {
    source_.write(folder + "/stepgate-manifest.json",
                  R"({"schema": {"name": "stepgate.manifest", "major": 1, "minor": 1}, "build_type": ")" + type +
                      R"(", "policy_root": "policies", "baseline_root": "baselines", "cases": []})");
  }
  fs::path root() const { return fs::canonical(source_.path()); }
  std::string found() const {
    const auto manifest = find_manifest({});
    return manifest ? manifest->parent_path().lexically_relative(root()).string() : "none";
  }

  TemporaryFolder source_;
  WorkingFolder here_{source_.path()};
};

TEST_F(BuildFolder, IsFoundWherePeopleBuild) {
  EXPECT_EQ(found(), "none");
  write_build("build");
  EXPECT_EQ(found(), "build");
}

TEST_F(BuildFolder, IsFoundInTheFolderOfAPreset) {
  source_.write("CMakePresets.json", R"({"configurePresets": [{"name": "a", "binaryDir": "${sourceDir}/out/a"}]})");
  write_build("out/a");
  EXPECT_EQ(found(), "out/a");
  write_build(".");
  EXPECT_EQ(found(), ".") << "the current folder comes first";
}

TEST_F(BuildFolder, OfSeveralTheOnlyOneThatCanBeGatedIsMeant) {
  write_build("build", "Debug");
  write_build("build/release");
  EXPECT_EQ(found(), "build/release");
  write_build("build");
  try {
    find_manifest({});
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there are 2 builds here: build/release, build"));
    EXPECT_THAT(error.remedy(), HasSubstr("--build build/release"));
  }
}

TEST_F(BuildFolder, ANamedFolderIsTheOnlyOneLookedIn) {
  write_build("build");
  EXPECT_FALSE(find_manifest("elsewhere"));
  EXPECT_EQ(find_manifest("build/"), root() / "build/stepgate-manifest.json");
}

TEST_F(BuildFolder, HoldsTheResultsOfGateCTestAndReport) {
  write_build("build");
  EXPECT_EQ(read_project({}).out, "build/stepgate-out");
  EXPECT_EQ(read_project({.out = "other"}).out, "other");
  EXPECT_EQ(default_out("/elsewhere/stepgate-manifest.json", "local"), "/elsewhere/stepgate-out");
  EXPECT_EQ(default_out("/elsewhere/stepgate-manifest.json", "emulated-h100"), "/elsewhere/stepgate-out-emulated-h100");
}

TEST_F(BuildFolder, ACaseThatMayBeSkippedIsOneOfTheManifest) {
  write_build("build");
  EXPECT_EQ(read_project({}).may_skip.size(), 0U);
  try {
    read_project({.may_skip = {"mine/mlp/two"}});
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("unknown case 'mine/mlp/two'"));
  }
}

TEST_F(BuildFolder, AMissingFolderOfPoliciesIsRefusedByName) {
  write_build("build");
  const Project project = read_project({});
  try {
    read_policy(project, "mine");
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr((root() / "build/policies").string()));
    EXPECT_THAT(error.remedy(), HasSubstr("POLICY_ROOT"));
  }
}

TEST_F(BuildFolder, EachSuiteWithoutAPolicyIsToldOnce) {
  write_build("build");
  source_.write("build/policies/known/policy.json", "{}");
  const std::vector<ManifestCase> cases = {case_of("mine/a/x"), case_of("mine/b/x"), case_of("known/a/x")};
  const auto notices = missing_policies(read_project({}), cases);
  ASSERT_THAT(notices, SizeIs(1));
  EXPECT_THAT(notices[0].text, HasSubstr("suite mine has no "));
}

TEST_F(BuildFolder, AnEntryOfAPolicyThatNamesNoCaseIsTold) {
  write_build("build");
  source_.write("build/policies/gan/policy.json",
                R"({"schema": {"name": "stepgate.policy", "major": 1, "minor": 0}, "varying": [
                    {"case": "gna/*", "metrics": ["loss"], "reason": "threads"},
                    {"case": "gan/*", "metrics": ["loss"], "reason": "threads"}],
                    "budgets": {"checkpoint_bytes": 9}, "budget_cases": {"checkpoint_bytes": ["gan/r*", "gan/big"]}})");
  Project project = read_project({});
  project.manifest.cases = {case_of("gan/ring/tiny"), case_of("mine/a/x")};
  const auto notices = unmatched_patterns(project, {case_of("gan/ring/tiny")});
  ASSERT_THAT(notices, SizeIs(2));
  EXPECT_EQ(notices[0].severity, Severity::warning);
  EXPECT_THAT(notices[0].text, HasSubstr("gan/policy.json: varying[0]: \"gna/*\" matches no case of the suite gan"));
  EXPECT_THAT(notices[0].next, HasSubstr("gan/ring/tiny"));
  EXPECT_THAT(notices[1].text,
              HasSubstr("budget_cases.checkpoint_bytes: \"gan/big\" matches no case of the suite gan"));
}

TEST_F(BuildFolder, ACommitIsFoundWithoutTheFolderOfPolicies) {
  write_build("build");
  const std::string git = "git -C " + root().string() + " -c user.name=a -c user.email=a@b ";
  ASSERT_EQ(std::system((git + "init -q && " + git + "commit -q --allow-empty -m one").c_str()), 0);
  EXPECT_THAT(read_project({}).commit, Not(IsEmpty()));
  EXPECT_THAT(read_project({.policy_root = "/"}).commit, Not(IsEmpty())) << "other limits, the same code";
}

TEST_F(BuildFolder, MissingProgramsAreNamedOnceWithTheCommandThatBuildsThem) {
  write_build("build");
  const Manifest manifest = read_project({}).manifest;
  const fs::path program = root() / "build/bin/train";
  const std::vector<ManifestCase> cases = {case_of("mine/a/x", program), case_of("mine/b/x", program)};
  try {
    refuse_unbuilt(manifest, cases);
    FAIL() << "nothing thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "not built: build/bin/train");
    EXPECT_EQ(error.remedy(), "build it: cmake --build build --target stepgate_cases");
  }
  source_.write("build/bin/train", "");
  EXPECT_NO_THROW(refuse_unbuilt(manifest, cases));
}

}  // namespace
}  // namespace stepgate
