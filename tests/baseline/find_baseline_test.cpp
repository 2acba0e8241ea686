#include "baseline/find_baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/sample_baseline.h"
#include "json/stored/baseline_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const BaselineName portable_name{Scope::portable, "portable", "suite/case_one/tiny"};

TEST(FindBaseline, AbsentIsNotAnError) {
  const TemporaryFolder root;
  EXPECT_FALSE(find_baseline(root.path(), portable_name));
}

TEST(FindBaseline, ReadsWhatWasWritten) {
  const TemporaryFolder root;
  root.write("portable/suite/case_one/tiny.json", to_text(portable_sample()));
  const auto found = find_baseline(root.path(), portable_name);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->exact, portable_sample().exact);
}

TEST(FindBaseline, DamageNamesTheFile) {
  const TemporaryFolder root;
  const std::string text = to_text(portable_sample());
  root.write("portable/suite/case_one/tiny.json", text.substr(0, text.size() / 2));
  EXPECT_THAT(error_of([&] { find_baseline(root.path(), portable_name); }),
              AllOf(StartsWith("baseline "), HasSubstr("tiny.json")));
}

TEST(FindBaseline, NoLinkBelowTheFolderIsFollowed) {
  const TemporaryFolder elsewhere;
  elsewhere.write("suite/case_one/tiny.json", to_text(portable_sample()));
  const TemporaryFolder root;
  std::filesystem::create_directory_symlink(elsewhere.path(), root.path() / "portable");
  EXPECT_THAT(error_of([&] { find_baseline(root.path(), portable_name); }),
              AllOf(StartsWith("baseline "), HasSubstr("portable: it is a symbolic link")));
}

TEST(FindBaseline, RefusesAKeyWithoutAFact) {
  const TemporaryFolder root;
  Baseline anywhere = portable_sample();
  anywhere.key.clear();
  const auto file = root.write("portable/suite/case_one/tiny.json", to_text(anywhere));
  const std::string refused = error_of([&] { find_baseline(root.path(), portable_name); });
  EXPECT_THAT(refused, AllOf(StartsWith("baseline "), HasSubstr("tiny.json: key is empty")));
  EXPECT_EQ(error_of([&] { read_baseline(file); }), refused) << "a pending file neither";
}

TEST(FindBaseline, ContentMustBelongToItsPath) {
  const TemporaryFolder root;
  root.write("portable/suite/other/tiny.json", to_text(portable_sample()));
  EXPECT_THAT(error_of([&] {
                find_baseline(root.path(), {Scope::portable, "portable", "suite/other/tiny"});
              }),
              AllOf(StartsWith("baseline "), HasSubstr("case is 'suite/case_one/tiny'")));
  root.write("local/suite/case_one/tiny.json", to_text(runner_sample()));
  EXPECT_THAT(error_of([&] {
                find_baseline(root.path(), {Scope::runner, "local", "suite/case_one/tiny"});
              }),
              HasSubstr("runner_class is 'h200-16c'"));
  Baseline wrong_scope = portable_sample();
  wrong_scope.runner_class = "local";
  root.write("local/suite/case_one/tiny.json", to_text(wrong_scope));
  EXPECT_THAT(error_of([&] {
                find_baseline(root.path(), {Scope::runner, "local", "suite/case_one/tiny"});
              }),
              HasSubstr("scope is 'portable'"));
}

TEST(FindBaseline, CountersOfAGpuLieBesideItsTimes) {
  const TemporaryFolder root;
  const BaselineName name{Scope::device, "h200-16c", "suite/case_one/tiny"};
  root.write("h200-16c/suite/case_one/tiny.json", to_text(runner_sample()));
  EXPECT_FALSE(find_baseline(root.path(), name)) << "the file of the times is another";
  root.write("h200-16c/suite/case_one/tiny.exact.json", to_text(device_sample()));
  const auto found = find_baseline(root.path(), name);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->exact, device_sample().exact);
  root.write("h200-16c/suite/case_one/tiny.exact.json", to_text(runner_sample()));
  EXPECT_THAT(error_of([&] { find_baseline(root.path(), name); }), HasSubstr("scope is 'runner'"));
}

}  // namespace
}  // namespace stepgate
