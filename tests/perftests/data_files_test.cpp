#include "support/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "perftests/data_folder.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

// FIPS 180-2, appendix B.1.
constexpr std::string_view sha256_of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string message_of(const std::filesystem::path& folder, const DataFile& file) {
  try {
    read_data_file(folder, file);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DataFiles, DigestIsSha256) { EXPECT_EQ(sha256_hex("abc"), sha256_of_abc); }

TEST(DataFiles, GivesTheBytesOfAFileThatIsAsListed) {
  const DataFolder folder;
  folder.write("sub/a.py", "abc");
  EXPECT_EQ(read_data_file(folder.path(), {"sub/a.py", sha256_of_abc}), "abc");
}

TEST(DataFiles, NamesAMissingFileAndWhatToDo) {
  const DataFolder folder;
  EXPECT_THAT(message_of(folder.path(), {"sub/a.py", sha256_of_abc}),
              AllOf(HasSubstr((folder.path() / "sub/a.py").string()), HasSubstr("No such file"),
                    EndsWith("run ci/setup, or name the folder that holds the data with --data DIR")));
}

TEST(DataFiles, ShowsBothDigestsOfAnAlteredFile) {
  const DataFolder folder;
  folder.write("a.py", "abd");
  EXPECT_THAT(message_of(folder.path(), {"a.py", sha256_of_abc}),
              AllOf(HasSubstr("expected SHA-256 " + std::string(sha256_of_abc)),
                    HasSubstr("found " + sha256_hex("abd")), HasSubstr("ci/setup")));
}

TEST(DataFiles, SaysThatNoFolderWasGiven) {
  EXPECT_THAT(message_of("", {"a.py", sha256_of_abc}), AllOf(HasSubstr("no data folder"), HasSubstr("--data DIR")));
}

TEST(DataFiles, ListIsTheSumsFileLineByLine) {
  std::ifstream sums(STEPGATE_DATA_SUMS);
  std::string digest;
  std::string path;
  std::size_t line = 0;
  for (; sums >> digest >> path; ++line) {
    ASSERT_LT(line, listed_data_files().size());
    EXPECT_EQ(listed_data_files()[line].sha256, digest);
    EXPECT_EQ(listed_data_files()[line].path, path);
  }
  EXPECT_EQ(line, listed_data_files().size());
  EXPECT_GT(line, 30U);
}

TEST(DataFiles, FindsFilesByTheirEndingInTheOrderOfTheList) {
  const auto images = listed_data_files_ending_with(".jpg");
  ASSERT_EQ(images.size(), 2U);
  EXPECT_THAT(std::string(images[0].path), EndsWith("china.jpg"));
  EXPECT_THAT(std::string(images[1].path), EndsWith("flower.jpg"));
}

TEST(DataFiles, DigestOfSeveralDependsOnTheirOrderAndContent) {
  const std::array<DataFile, 2> files = {DataFile{"a", "11"}, DataFile{"b", "22"}};
  const std::array<DataFile, 2> swapped = {files[1], files[0]};
  const std::array<DataFile, 2> altered = {files[0], DataFile{"b", "23"}};
  EXPECT_EQ(digest_of(files), sha256_hex("11\n22\n"));
  EXPECT_NE(digest_of(files), digest_of(swapped));
  EXPECT_NE(digest_of(files), digest_of(altered));
}

}  // namespace
}  // namespace stepgate
