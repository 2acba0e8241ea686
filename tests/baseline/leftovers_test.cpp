#include "baseline/leftovers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/pending.h"
#include "baseline/sample_baseline.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PendingFile measured_at(std::int64_t unix_s, const std::string& name, const std::string& commit = "abc") {
  return {
      .path = name, .case_name = name, .runner_class = "portable", .unix_s = unix_s, .commit = commit, .options = ""};
}

std::vector<std::string> names_of(const std::vector<PendingFile>& files) {
  std::vector<std::string> names;
  for (const PendingFile& file : files) names.push_back(file.case_name);
  return names;
}

TEST(Leftovers, ALongRunHasNone) {
  EXPECT_THAT(leftovers({}), IsEmpty());
  EXPECT_THAT(leftovers({measured_at(9000, "c"), measured_at(3000, "a"), measured_at(6000, "b")}), IsEmpty());
}

TEST(Leftovers, AreOlderByAnHourOrOfAnotherCommit) {
  const auto old = measured_at(100, "old");
  EXPECT_THAT(names_of(leftovers({measured_at(9000, "new"), old, measured_at(50, "older")})),
              ElementsAre("old", "older"));
  EXPECT_THAT(names_of(leftovers({measured_at(9000, "new"), measured_at(8990, "before", "def")})),
              ElementsAre("before"));
}

TEST(Leftovers, AreDescribedWithAgeAndOptions) {
  const TemporaryFolder out;
  Baseline baseline = portable_sample();
  baseline.provenance.options = "--seed 7";
  const auto files = read_pending({write_pending(out.path(), baseline)});
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(describe(files[0], files[0].unix_s + 26 * 3600),
            "suite/case_one/tiny (portable), 26 h old, commit 1111111, --seed 7");
}

}  // namespace
}  // namespace stepgate
