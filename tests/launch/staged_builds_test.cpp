#include "launch/staged_builds.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

fs::path program(const fs::path& place, const std::string& text) {
  fs::create_directories(place.parent_path());
  std::ofstream(place) << text;
  fs::permissions(place, fs::perms::owner_all);
  return place;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(StagedBuilds, LieAtPathsOfEqualLengthAndCanBeRun) {
  const TemporaryFolder folder;
  const fs::path base = program(folder.path() / "old/a/deep/place/train", "base");
  const fs::path head = program(folder.path() / "new/train_of_another_name", "head");
  const StagedBuilds builds = stage_builds(folder.path() / "staged", {base}, {head});
  EXPECT_EQ(builds.base.string().size(), builds.head.string().size());
  EXPECT_EQ(builds.base.string().size(), builds.aa_copy.string().size());
  EXPECT_EQ(text_of(builds.base), "base");
  EXPECT_EQ(text_of(builds.head), "head");
  EXPECT_EQ(text_of(builds.aa_copy), "base");
  EXPECT_NE(builds.base_digest, builds.head_digest);
  EXPECT_NE(fs::status(builds.head).permissions() & fs::perms::owner_exec, fs::perms::none);
}

TEST(StagedBuilds, FollowARebuildAndLeaveWhatIsTheSame) {
  const TemporaryFolder folder;
  const fs::path base = program(folder.path() / "base/train", "base");
  const fs::path head = program(folder.path() / "head/train", "head");
  const StagedBuilds first = stage_builds(folder.path() / "staged", {base}, {head});
  const auto base_time = fs::last_write_time(first.base);
  program(head, "head, changed");
  const StagedBuilds second = stage_builds(folder.path() / "staged", {base}, {head});
  EXPECT_EQ(text_of(second.head), "head, changed");
  EXPECT_NE(second.head_digest, first.head_digest);
  EXPECT_EQ(fs::last_write_time(second.base), base_time);
}

TEST(StagedBuilds, NameTheProgramThatIsMissing) {
  const TemporaryFolder folder;
  const fs::path base = program(folder.path() / "base/train", "base");
  try {
    stage_builds(folder.path() / "staged", {base}, {folder.path() / "head/train"});
    FAIL() << "a missing program was staged";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("head/train"), std::string::npos);
  }
}

TEST(StagedBuilds, DigestsAreThePublishedOnesOfFnv1a) {
  const TemporaryFolder folder;
  // From the test vectors of Fowler, Noll and Vo (RFC 9923).
  EXPECT_EQ(file_digest(program(folder.path() / "empty", "")), "cbf29ce484222325");
  EXPECT_EQ(file_digest(program(folder.path() / "foobar", "foobar")), "85944171f73967e8");
  EXPECT_EQ(text_file_digest(folder.path() / "foobar"), "85944171f73967e8");
}

TEST(StagedBuilds, ATextOfGigabytesIsRefusedUnread) {
  const TemporaryFolder folder;
  const fs::path file = program(folder.path() / "zeros", "");
  fs::resize_file(file, std::uintmax_t{1} << 40U);  // reading a terabyte would take an hour
  try {
    text_file_digest(file);
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("too large"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stepgate
