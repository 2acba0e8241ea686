#include "system/files/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "json/expect_error.h"
#include "support/temporary_folder.h"
#include "system/descriptor.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public ::testing::Test {
 protected:
  fs::path at(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_;
};

/// While it exists, stdout of this process is `file`.
class StdoutInto {
 public:
  explicit StdoutInto(const fs::path& file) : before_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    const Descriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT, 0600));
    ::dup2(opened.number(), STDOUT_FILENO);
  }
  StdoutInto(const StdoutInto&) = delete;
  StdoutInto& operator=(const StdoutInto&) = delete;
  ~StdoutInto() {
    std::fflush(stdout);
    ::dup2(before_, STDOUT_FILENO);
    ::close(before_);
  }

 private:
  int before_;
};

TEST_F(OutputFileTest, ARegularFileIsWrittenWhole) {
  write_output_file(at("new/summary.md"), "one");
  write_output_file(at("new/summary.md"), "two");
  EXPECT_EQ(read_text_file(at("new/summary.md")), "two");
}

TEST_F(OutputFileTest, ALinkStaysALink) {
  fs::create_directory(at("elsewhere"));
  write_file_atomically(at("elsewhere/real"), "old");
  fs::create_symlink("elsewhere/real", at("link"));
  fs::create_symlink("link", at("link_to_link"));
  write_output_file(at("link_to_link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_TRUE(fs::is_symlink(at("link_to_link")));
  EXPECT_EQ(read_text_file(at("elsewhere/real")), "new");
}

TEST_F(OutputFileTest, ALinkToNothingYetGetsItsFile) {
  fs::create_directory(at("elsewhere"));
  fs::create_symlink("elsewhere/later", at("link"));
  write_output_file(at("link"), "text");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read_text_file(at("elsewhere/later")), "text");
}

TEST_F(OutputFileTest, LinksInACircleAreNamed) {
  fs::create_symlink(at("loop"), at("loop"));
  expect_error([&] { write_output_file(at("loop"), "x"); }, ErrorKind::measure,
               {at("loop").string(), "Too many levels of symbolic links"});
}

TEST_F(OutputFileTest, ADeviceStaysADevice) {
  // A device of its own: the one of the machine would be lost where this fails.
  if (::mknod(at("null").c_str(), S_IFCHR | 0666, ::makedev(1, 3)) != 0) GTEST_SKIP() << "cannot make a device here";
  try {
    write_output_file(at("null"), "x");
  } catch (const Error& error) {
    GTEST_SKIP() << "devices cannot be opened here: " << error.what();
  }
  EXPECT_TRUE(fs::is_character_file(at("null")));
}

TEST_F(OutputFileTest, ADiskAndAFolderAreRefused) {
  expect_error([&] { write_output_file(at(""), "x"); }, ErrorKind::measure, {"Is a directory"});
  if (::mknod(at("disk").c_str(), S_IFBLK | 0666, ::makedev(7, 250)) != 0) GTEST_SKIP() << "cannot make a device here";
  expect_error([&] { write_output_file(at("disk"), "x"); }, ErrorKind::measure, {"it is a disk"});
}

TEST_F(OutputFileTest, AFifoDeliversAllAndStays) {
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i);
  std::string got;
  std::thread reader([&] {
    const Descriptor file(::open(at("fifo").c_str(), O_RDONLY));
    std::array<char, 4096> block{};
    for (ssize_t read = 0; (read = ::read(file.number(), block.data(), block.size())) > 0;) {
      got.append(block.data(), static_cast<std::size_t>(read));
    }
  });
  write_output_file(at("fifo"), text);
  reader.join();
  EXPECT_EQ(got, text);
  EXPECT_TRUE(fs::is_fifo(at("fifo")));
}

TEST_F(OutputFileTest, AFifoThatNobodyReadsIsNamed) {
  ASSERT_EQ(::mkfifo(at("fifo").c_str(), 0600), 0);
  expect_error([&] { write_output_file(at("fifo"), "x"); }, ErrorKind::measure,
               {at("fifo").string(), "nobody reads it"});
}

TEST_F(OutputFileTest, StdoutGetsItBehindWhatWasPrinted) {
  {
    const StdoutInto into(at("out"));
    std::printf("before ");
    write_output_file("/dev/stdout", "text ");
    std::printf("after");
  }
  EXPECT_EQ(read_text_file(at("out")), "before text after");
}

}  // namespace
}  // namespace stepgate
