// What debug information may name: a program can write anything there.
#include "launch/source_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SourceTree : public testing::Test {
 protected:
  SourceTree() {
    folder_.write("tree/perf/model.cpp", "one\n\nthree");
    folder_.write("secret/model.cpp", "secret\n");
    // A reader that waits for ever would be killed, and red.
    ::alarm(60);
  }
  ~SourceTree() override { ::alarm(0); }

  fs::path tree() const { return folder_.path() / "tree"; }
  std::vector<std::string> lines(const fs::path& file) const { return lines_of_source(file, tree()); }

  TemporaryFolder folder_;
};

TEST_F(SourceTree, HasTheLinesOfItsFiles) {
  EXPECT_THAT(lines(tree() / "perf/model.cpp"), ElementsAre("one", "", "three"));
  EXPECT_THAT(lines(tree() / "build/../perf/model.cpp"), SizeIs(3));
  EXPECT_THAT(lines("perf/model.cpp"), SizeIs(3));
  EXPECT_THAT(lines("/another/checkout/perf/model.cpp"), SizeIs(3));
  EXPECT_THAT(lines_of_source(tree() / "perf/model.cpp", tree() / "perf/.."), SizeIs(3));
}

TEST_F(SourceTree, OfALinkToIt) {
  fs::create_symlink(tree(), folder_.path() / "link");
  EXPECT_THAT(lines(folder_.path() / "link/perf/model.cpp"), SizeIs(3));
  EXPECT_THAT(lines_of_source(tree() / "perf/model.cpp", folder_.path() / "link"), SizeIs(3));
  fs::create_symlink("model.cpp", tree() / "perf/other.cpp");
  EXPECT_THAT(lines(tree() / "perf/other.cpp"), SizeIs(3)) << "a link within the tree";
}

TEST_F(SourceTree, HasNothingOfFilesElsewhere) {
  EXPECT_THAT(lines(folder_.path() / "secret/model.cpp"), IsEmpty());
  EXPECT_THAT(lines(tree() / "../secret/model.cpp"), IsEmpty());
  EXPECT_THAT(lines("../secret/model.cpp"), IsEmpty());
  fs::create_symlink(folder_.path() / "secret/model.cpp", tree() / "perf/file.cpp");
  fs::create_symlink(folder_.path() / "secret", tree() / "folder");
  EXPECT_THAT(lines(tree() / "perf/file.cpp"), IsEmpty()) << "a link out of the tree";
  EXPECT_THAT(lines(tree() / "folder/model.cpp"), IsEmpty()) << "a folder that is one";
  EXPECT_THAT(lines_of_source(tree() / "perf/model.cpp", ""), IsEmpty()) << "where the tree is unknown";
  EXPECT_THAT(lines_of_source(tree() / "perf/model.cpp", folder_.path() / "missing"), IsEmpty());
}

TEST_F(SourceTree, OpensNothingThatIsNoFile) {
  ASSERT_EQ(::mkfifo((tree() / "perf/fifo").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", tree() / "perf/zero");
  fs::create_symlink("loop", tree() / "perf/loop");
  for (const char* name : {"perf/fifo", "perf/zero", "perf/loop", "perf", "missing.cpp", "", "."}) {
    EXPECT_THAT(lines(tree() / name), IsEmpty()) << name;
  }
  EXPECT_THAT(lines("/dev/zero"), IsEmpty());
  EXPECT_THAT(lines(""), IsEmpty());
}

TEST_F(SourceTree, OpensNoFileThatIsTooLarge) {
  fs::resize_file(folder_.write("tree/perf/large.cpp", "one\n"), most_source_bytes + 1);
  EXPECT_THAT(lines(tree() / "perf/large.cpp"), IsEmpty());
  fs::resize_file(folder_.write("tree/perf/sparse.cpp", "one\n"), std::uintmax_t{1} << 40U);
  EXPECT_THAT(lines(tree() / "perf/sparse.cpp"), IsEmpty());
}

TEST_F(SourceTree, KnowsTheLongestTailOfAPath) {
  folder_.write("tree/model.cpp", "");
  folder_.write("tree/x/perf/model.cpp", "");
  EXPECT_EQ(tail_within("/a/x/perf/model.cpp", tree()), "x/perf/model.cpp");
  EXPECT_EQ(tail_within("/a/perf/model.cpp", tree()), "perf/model.cpp");
  EXPECT_EQ(tail_within("/a/model.cpp", tree()), "") << "a name alone may be that of another file";
  EXPECT_EQ(tail_within("", tree()), "");
}

}  // namespace
}  // namespace stepgate
