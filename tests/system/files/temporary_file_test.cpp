#include "system/files/temporary_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iterator>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

class TemporaryFileTest : public testing::Test {
 protected:
  fs::path target() const { return folder_.path() / "target"; }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder_.path()), {}); }
  bool has_nameless_files() const {
    const Descriptor file(::open(folder_.path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
    return file.is_open();
  }
  TemporaryFolder folder_;
};

TEST_F(TemporaryFileTest, AWriterThatIsKilledLeavesNothing) {
  if (!has_nameless_files()) GTEST_SKIP() << "the file system here has no files without a name";
  const pid_t writer = ::fork();
  if (writer == 0) {
    const TemporaryFile file(target());
    file.write("half of it");
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(writer, nullptr, 0), writer);
  EXPECT_EQ(entries(), 0);
}

TEST_F(TemporaryFileTest, TakesThePlaceOfWhatIsThere) {
  for (const char* text : {"first", "second"}) {
    TemporaryFile file(target());
    file.write(text);
    file.replace_target();
    EXPECT_EQ(text_of(target()), text);
    EXPECT_EQ(entries(), 1);
  }
}

TEST_F(TemporaryFileTest, BecomesTheTargetWhereThereIsNone) {
  {
    TemporaryFile file(target());
    file.write("first");
    EXPECT_TRUE(file.become_target());
  }
  TemporaryFile file(target());
  file.write("second");
  EXPECT_FALSE(file.become_target());
  EXPECT_EQ(text_of(target()), "first");
}

TEST_F(TemporaryFileTest, IsGoneWhereItIsNotWanted) {
  { TemporaryFile(target()).write("text"); }
  EXPECT_EQ(entries(), 0);
}

}  // namespace
}  // namespace stepgate
