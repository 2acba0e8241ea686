#include "system/files/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <tuple>

#include "json/expect_error.h"
#include "support/file_size_limit.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Gives each test a folder and removes it afterwards.
class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern = (fs::temp_directory_path() / "stepgate_file_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { fs::remove_all(folder_); }

  fs::path at(const std::string& name) const { return folder_ / name; }
  std::size_t entries(const fs::path& folder) const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

 private:
  fs::path folder_;
};

TEST_F(FileTest, ReadsWhatWasWritten) {
  const std::string text("a\0b\r\n\xff", 6);
  write_file_atomically(at("x"), text);
  EXPECT_EQ(read_text_file(at("x")), text);
  write_file_atomically(at("x"), "");
  EXPECT_EQ(read_text_file(at("x")), "");
}

TEST_F(FileTest, ReadsMoreThanOneBlock) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i);
  write_file_atomically(at("x"), text);
  EXPECT_EQ(read_text_file(at("x")), text);
}

TEST_F(FileTest, CreatesMissingFoldersAndLeavesNoTemporaryFile) {
  write_file_atomically(at("a/b/c.json"), "1");
  write_file_atomically(at("a/b/c.json"), "2");
  EXPECT_EQ(read_text_file(at("a/b/c.json")), "2");
  EXPECT_EQ(entries(at("a/b")), 1u);
}

TEST_F(FileTest, WritesANameWithoutAFolder) {
  const fs::path before = fs::current_path();
  fs::create_directory(at("here"));
  fs::current_path(at("here"));
  write_file_atomically("plain.json", "x");
  fs::current_path(before);
  EXPECT_EQ(read_text_file(at("here/plain.json")), "x");
}

TEST_F(FileTest, KeepsPermissionsOfTheFileItReplaces) {
  write_file_atomically(at("x"), "1");
  fs::permissions(at("x"), fs::perms(0640));
  write_file_atomically(at("x"), "2");
  EXPECT_EQ(fs::status(at("x")).permissions(), fs::perms(0640));
}

TEST_F(FileTest, AFullDiskLeavesTheOldFileWholeAndNoTemporaryFile) {
  write_file_atomically(at("b.json"), "old");
  const std::string large(100000, 'n');
  {
    const FileSizeLimit limit(4096);  // the first block is written, the second fails
    expect_error([&] { write_file_atomically(at("b.json"), large); }, ErrorKind::measure,
                 {at("b.json").string(), "cannot write", "File too large"});
  }
  EXPECT_EQ(read_text_file(at("b.json")), "old");
  EXPECT_EQ(entries(at("")), 1u);
}

TEST_F(FileTest, ADerivedFileIsOldOrNewToo) {
  write_derived_file(at("b.md"), "old");
  fs::permissions(at("b.md"), fs::perms(0640));
  {
    const FileSizeLimit limit(4096);
    expect_error([&] { write_derived_file(at("b.md"), std::string(100000, 'n')); }, ErrorKind::measure,
                 {at("b.md").string(), "cannot write"});
  }
  EXPECT_EQ(read_text_file(at("b.md")), "old");
  write_derived_file(at("b.md"), "new");
  EXPECT_EQ(read_text_file(at("b.md")), "new");
  EXPECT_EQ(fs::status(at("b.md")).permissions(), fs::perms(0640));
  EXPECT_EQ(entries(at("")), 1u);
}

TEST_F(FileTest, AFileInPlaceOfAFolderIsNamed) {
  write_file_atomically(at("file"), "x");
  expect_error([&] { write_file_atomically(at("file/b.json"), "y"); }, ErrorKind::measure,
               {at("file/b.json").string(), "cannot create its folder"});
  EXPECT_EQ(read_text_file(at("file")), "x");
}

TEST_F(FileTest, AFolderInPlaceOfTheFileIsNamedAndStays) {
  fs::create_directories(at("b.json/inside"));
  expect_error([&] { write_file_atomically(at("b.json"), "y"); }, ErrorKind::measure,
               {at("b.json").string(), "cannot replace it", "Is a directory"});
  EXPECT_TRUE(fs::exists(at("b.json/inside")));
  EXPECT_EQ(entries(at("")), 1u);
}

/// While it exists, this process has only the rights of a user, because root may write anywhere.
class PlainUser {
 public:
  PlainUser() : before_(::geteuid()), is_plain_(before_ != 0 || ::seteuid(nobody) == 0) {}
  PlainUser(const PlainUser&) = delete;
  PlainUser& operator=(const PlainUser&) = delete;
  ~PlainUser() { std::ignore = ::seteuid(before_); }
  bool is_plain() const { return is_plain_; }

 private:
  static constexpr uid_t nobody = 65534;
  uid_t before_;
  bool is_plain_;
};

TEST_F(FileTest, AFolderWithoutPermissionIsNamed) {
  write_file_atomically(at("d/b.json"), "old");
  fs::permissions(at(""), fs::perms(0755));
  fs::permissions(at("d"), fs::perms(0555));
  {
    const PlainUser user;
    if (!user.is_plain()) GTEST_SKIP() << "cannot stop being root here";
    expect_error([&] { write_file_atomically(at("d/b.json"), "new"); }, ErrorKind::measure,
                 {at("d/b.json").string(), "Permission denied"});
  }
  fs::permissions(at("d"), fs::perms(0755));
  EXPECT_EQ(read_text_file(at("d/b.json")), "old");
  EXPECT_EQ(entries(at("d")), 1u);
}

TEST_F(FileTest, AFileSystemWithoutFilesIsNamed) {
  expect_error([] { write_file_atomically("/proc/self/stepgate/x.json", "y"); }, ErrorKind::measure,
               {"/proc/self/stepgate/x.json", "cannot create its folder"});
  expect_error([] { write_file_atomically("/proc/self/x.json", "y"); }, ErrorKind::measure,
               {"/proc/self/x.json", "cannot create a temporary file beside it"});
}

TEST_F(FileTest, AForeignTemporaryFileOfTheSameNameIsLeftAlone) {
  const fs::path foreign = at(".stepgate-" + std::to_string(::getpid()) + "-0.tmp");
  std::ofstream(foreign) << "foreign";
  write_file_atomically(at("x"), "mine");
  EXPECT_EQ(read_text_file(foreign), "foreign");
  EXPECT_EQ(read_text_file(at("x")), "mine");
}

TEST_F(FileTest, AMissingFileIsNamedOrAbsent) {
  expect_error([&] { read_text_file(at("none.json"), ErrorKind::baseline); }, ErrorKind::baseline,
               {at("none.json").string(), "no such file"});
  EXPECT_EQ(read_text_file_if_present(at("none.json")), std::nullopt);
}

TEST_F(FileTest, AFolderCannotBeReadAsAFile) {
  expect_error([&] { read_text_file_if_present(at("")); }, ErrorKind::usage, {"cannot read", "Is a directory"});
}

TEST_F(FileTest, CopiesBytesAndPermissions) {
  const std::string bytes = std::string(200'000, 'x') + '\0' + "end";
  write_file_atomically(at("program"), bytes);
  fs::permissions(at("program"), fs::perms::owner_all);
  copy_file_atomically(at("program"), at("new/copy"));
  EXPECT_EQ(read_text_file(at("new/copy")), bytes);
  EXPECT_EQ(fs::status(at("new/copy")).permissions(), fs::perms::owner_all);
}

TEST_F(FileTest, LeavesTheOldCopyWhereTheSourceIsMissing) {
  write_file_atomically(at("copy"), "old");
  EXPECT_THROW(copy_file_atomically(at("missing"), at("copy")), Error);
  EXPECT_EQ(read_text_file(at("copy")), "old");
  EXPECT_EQ(entries(at("")), 1U);
}

}  // namespace
}  // namespace stepgate
