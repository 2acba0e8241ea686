#include "baseline/pending.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/find_baseline.h"
#include "baseline/sample_baseline.h"
#include "json/stored/baseline_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Pending, LiesBelowPendingInTheCanonicalForm) {
  const TemporaryFolder out;
  const auto file = write_pending(out.path(), portable_sample());
  EXPECT_EQ(file, out.path() / "pending/portable/suite/case_one/tiny.json");
  EXPECT_EQ(text_of(file), to_text(read_baseline(file)));
  EXPECT_THAT(pending_files(out.path()), ElementsAre(file));
}

TEST(Pending, NoFolderMeansNoFiles) {
  const TemporaryFolder out;
  EXPECT_THAT(pending_files(out.path()), IsEmpty());
}

TEST(Pending, RejectRemovesPendingFilesAndNothingElse) {
  const TemporaryFolder out;
  const auto file = write_pending(out.path(), portable_sample());
  const auto precious = out.write("baselines/portable/a/b.json", "{}");
  EXPECT_THAT(error_of([&] { reject_pending({file, precious}); }), StartsWith("usage "));
  EXPECT_TRUE(std::filesystem::exists(file));
  reject_pending({file});
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(std::filesystem::exists(precious));
}

}  // namespace
}  // namespace stepgate
