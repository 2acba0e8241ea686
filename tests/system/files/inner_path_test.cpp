#include "system/files/inner_path.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

TEST(InnerPath, PlainFoldersFilesAndWhatIsMissingPass) {
  const TemporaryFolder here;
  const fs::path file = here.write("a/b/c.json", "{}");
  EXPECT_NO_THROW(refuse_links_below(here.path(), file, ErrorKind::usage));
  EXPECT_NO_THROW(refuse_links_below(here.path(), here.path() / "a/new/d.json", ErrorKind::usage));
}

TEST(InnerPath, ALinkAtAnyDepthIsRefusedAndNamed) {
  const TemporaryFolder here;
  const TemporaryFolder elsewhere;
  here.write("a/b/c.json", "{}");
  fs::create_directory_symlink(elsewhere.path(), here.path() / "a/out");
  fs::create_symlink(elsewhere.path() / "missing.json", here.path() / "a/b/dangling.json");
  for (const char* file : {"a/out/x.json", "a/b/dangling.json"}) {
    try {
      refuse_links_below(here.path(), here.path() / file, ErrorKind::baseline);
      ADD_FAILURE() << file << " was followed";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::baseline);
      EXPECT_NE(std::string(error.what()).find("symbolic link"), std::string::npos);
    }
  }
}

TEST(InnerPath, TheRootItselfMayBeALink) {
  const TemporaryFolder here;
  const TemporaryFolder elsewhere;
  elsewhere.write("a/b.json", "{}");
  fs::create_directory_symlink(elsewhere.path(), here.path() / "out");
  EXPECT_NO_THROW(refuse_links_below(here.path() / "out", here.path() / "out/a/b.json", ErrorKind::usage));
}

}  // namespace
}  // namespace stepgate
