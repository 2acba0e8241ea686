#include "system/files/regular_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/expect_error.h"
#include "support/temporary_folder.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

class RegularFileTest : public ::testing::Test {
 protected:
  fs::path at(const std::string& name) const { return folder_.path() / name; }
  fs::path fifo() const {
    ::mkfifo(at("fifo").c_str(), 0600);
    return at("fifo");
  }

 private:
  TemporaryFolder folder_;
};

// Each of these would wait for ever where the file is opened as usual.
TEST_F(RegularFileTest, AFifoIsNamedAndNeverWaitedFor) {
  expect_error([&] { read_text_file(fifo(), ErrorKind::baseline); }, ErrorKind::baseline,
               {at("fifo").string(), "it is a FIFO and not a regular file"});
  expect_error([&] { read_text_file_if_present(fifo()); }, ErrorKind::usage, {"FIFO"});
  expect_error([&] { copy_file_atomically(fifo(), at("copy")); }, ErrorKind::usage, {"FIFO"});
  EXPECT_EQ(open_regular_file(fifo(), O_RDWR | O_CREAT).is, "a FIFO");
}

TEST_F(RegularFileTest, ADeviceIsNotEvenOpened) {
  expect_error([&] { read_text_file("/dev/zero"); }, ErrorKind::usage, {"/dev/zero", "it is a device"});
  expect_error([&] { read_text_file("/dev/null"); }, ErrorKind::usage, {"it is a device"});
}

TEST_F(RegularFileTest, LinksAreFollowedUnlessRefused) {
  write_file_atomically(at("file"), "text");
  fs::create_symlink(at("file"), at("link"));
  EXPECT_TRUE(open_regular_file(at("link"), O_RDONLY).descriptor.is_open());
  EXPECT_EQ(open_regular_file(at("link"), O_RDONLY | O_NOFOLLOW).error, ELOOP);
  fs::create_symlink(at("missing"), at("dangling"));
  EXPECT_EQ(open_regular_file(at("dangling"), O_RDWR | O_CREAT | O_NOFOLLOW).error, ELOOP);
  EXPECT_FALSE(fs::exists(at("missing")));
}

TEST_F(RegularFileTest, NamesLinksThatLeadInACircle) {
  fs::create_symlink(at("loop"), at("loop"));
  const auto error = error_of([&] { read_text_file(at("loop")); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), testing::HasSubstr("Too many levels of symbolic links"));
  EXPECT_THAT(error->remedy(), testing::HasSubstr("lead in a circle"));
}

TEST_F(RegularFileTest, NamesTheLimitOfOpenFiles) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizers need a descriptor to check an object's type";
#endif
  write_file_atomically(at("file"), "text");
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{0, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  const auto read = error_of([&] { read_text_file(at("file")); });
  const auto written = error_of([&] { write_file_atomically(at("file"), "new"); });
  ::setrlimit(RLIMIT_NOFILE, &before);
  for (const auto& error : {read, written}) {
    ASSERT_TRUE(error);
    EXPECT_THAT(error->what(), testing::HasSubstr(at("file").string()));
    EXPECT_THAT(error->what(), testing::HasSubstr("Too many open files"));
    EXPECT_THAT(error->remedy(), testing::HasSubstr("ulimit -n"));
  }
}

TEST_F(RegularFileTest, AnOwnFileIsNewAndNeverALink) {
  write_file_atomically(at("victim"), "precious");
  fs::create_symlink(at("victim"), at("own"));
  EXPECT_TRUE(create_own_file(at("own"), O_WRONLY).descriptor.is_open());
  EXPECT_EQ(read_text_file(at("victim")), "precious");
  EXPECT_FALSE(fs::is_symlink(at("own")));
  EXPECT_TRUE(create_own_file(fifo(), O_WRONLY).descriptor.is_open());
  EXPECT_TRUE(fs::is_regular_file(at("fifo")));
}

TEST_F(RegularFileTest, AFolderInPlaceOfAnOwnFileIsNamed) {
  fs::create_directory(at("folder"));
  const OpenedFile opened = create_own_file(at("folder"), O_WRONLY);
  EXPECT_EQ(opened.error, EISDIR);
  EXPECT_TRUE(fs::is_directory(at("folder")));
  EXPECT_THAT(error_of(opened, ErrorKind::measure, at("folder"), "cannot write").what(),
              testing::HasSubstr("Is a directory"));
}

TEST_F(RegularFileTest, AFileOfATerabyteIsRefusedBeforeItIsRead) {
  write_file_atomically(at("sparse"), "");
  ASSERT_EQ(::truncate(at("sparse").c_str(), off_t{1} << 40U), 0);
  expect_error([&] { read_text_file(at("sparse")); }, ErrorKind::usage,
               {at("sparse").string(), "too large", "128 MiB"});
}

TEST_F(RegularFileTest, WritingReplacesALinkAndLeavesWhatItNames) {
  write_file_atomically(at("victim"), "precious");
  fs::permissions(at("victim"), fs::perms(0600));
  fs::create_symlink(at("victim"), at("record"));
  write_file_atomically(at("record"), "new");
  EXPECT_EQ(read_text_file(at("victim")), "precious");
  EXPECT_EQ(read_text_file(at("record")), "new");
}

}  // namespace
}  // namespace stepgate
