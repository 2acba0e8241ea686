#include "baseline/pending.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/find_baseline.h"
#include "baseline/sample_baseline.h"
#include "json/stored/baseline_json.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
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

TEST(Pending, OneIsRemovedByItsNameAndMayBeGone) {
  const TemporaryFolder out;
  const auto file = write_pending(out.path(), portable_sample());
  const auto other = out.write("pending/portable/suite/case_two/tiny.json", "{}");
  for (int round = 0; round < 2; ++round) {
    remove_pending(out.path(), name_of(portable_sample()));
    EXPECT_THAT(pending_files(out.path()), ElementsAre(other));
  }
}

TEST(Pending, NoLinkBelowTheFolderIsFollowed) {
  const TemporaryFolder elsewhere;
  const auto precious = elsewhere.write("suite/case_one/tiny.json", to_text(portable_sample()));
  for (const char* link : {"pending", "pending/portable", "pending/portable/suite"}) {
    const TemporaryFolder out;
    const auto linked = out.path() / link;
    std::filesystem::create_directories(linked.parent_path());
    std::filesystem::create_directory_symlink(elsewhere.path(), linked);
    const auto file = out.path() / "pending/portable/suite/case_one/tiny.json";
    for (const std::string& refused :
         {error_of([&] { write_pending(out.path(), portable_sample()); }), error_of([&] { pending_files(out.path()); }),
          error_of([&] { read_pending_file(file); }), error_of([&] { reject_pending({file}); }),
          error_of([&] { remove_pending(out.path(), name_of(portable_sample())); })}) {
      EXPECT_THAT(refused, AllOf(StartsWith("usage "), HasSubstr(linked.string() + ": it is a symbolic link")));
    }
  }
  EXPECT_TRUE(std::filesystem::exists(precious));
  const TemporaryFolder out;
  const auto file = write_pending(out.path(), portable_sample());
  std::filesystem::remove(file);
  std::filesystem::create_symlink(precious, file);
  EXPECT_THAT(error_of([&] { pending_files(out.path()); }), HasSubstr("symbolic link"));
  EXPECT_THAT(error_of([&] { read_pending_file(file); }), HasSubstr("symbolic link"));
}

TEST(Pending, NothingIsWrittenThatReadingWouldRefuse) {
  const TemporaryFolder out;
  Baseline broken = portable_sample();
  broken.bytes["peak_allocated_bytes"] = {-1};
  EXPECT_THAT(error_of([&] { write_pending(out.path(), broken); }),
              AllOf(StartsWith("measure "), HasSubstr("was not written"), HasSubstr("is below 0")));
  EXPECT_THAT(pending_files(out.path()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
