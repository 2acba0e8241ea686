// Small programs and libraries that the compiler makes here: what the loader takes cannot be imitated.
#include "launch/program_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "core/error.h"
#include "launch/process/program_output.h"
#include "launch/staged_builds.h"
#include "support/temporary_folder.h"
#include "system/command_output.h"
#include "system/elf/elf_libraries.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A build folder: bin/train prints what lib/libmodel.so says, which asks lib/liblayer.so.
class BuildTree {
 public:
  explicit BuildTree(const std::string& linked = "-Wl,--enable-new-dtags") : linked_(linked) {
    build_layer("one");
    compile("lib/libmodel.so", "const char* layer(); const char* model() { return layer(); }", {"-shared", "-llayer"});
    compile("bin/train", "extern \"C\" int puts(const char*); const char* model(); int main() { puts(model()); }",
            {"-lmodel"});
  }
  void build_layer(const std::string& text) const {
    compile("lib/liblayer.so", "const char* layer() { return \"" + text + "\"; }", {"-shared"});
  }
  fs::path path(const std::string& name = "") const { return folder_.path() / name; }
  ProgramBuild build() const { return program_build(path("bin/train"), path()); }

  void compile(const std::string& name, const std::string& code, const std::vector<std::string>& more) const {
    const fs::path text = folder_.write(name + ".cpp", code);
    const std::string lib = path("lib").string();
    std::vector<std::string> command = {
        "c++", "-fPIC", text.string(), "-o", path(name).string(), "-L" + lib, "-Wl,-rpath," + lib, linked_};
    command.insert(command.end(), more.begin(), more.end());
    command_output(command);
    ASSERT_TRUE(fs::exists(path(name))) << "is there a compiler?";
  }

 private:
  TemporaryFolder folder_;
  std::string linked_;
};

std::vector<std::string> names_of(const ProgramBuild& build) {
  std::vector<std::string> names;
  for (const fs::path& library : build.libraries) names.push_back(library.filename().string());
  return names;
}

std::string printed_by(const fs::path& program) {
  return program_output({program.string()}, program.string() + ".output").value_or("it failed");
}

TEST(ProgramBuild, HasTheLibrariesOfItsTreeAndWhatTheyLoad) {
  const BuildTree tree;
  EXPECT_THAT(names_of(tree.build()), ElementsAre("liblayer.so", "libmodel.so"));
  EXPECT_THAT(names_of(program_build(tree.path("bin/train"), tree.path("bin"))), IsEmpty()) << "of another tree";
}

TEST(ProgramBuild, IsAnotherOneWithAnotherLibrary) {
  const BuildTree tree;
  const std::string before = build_digest(tree.build());
  EXPECT_EQ(build_digest(tree.build()), before);
  tree.build_layer("two");
  EXPECT_NE(build_digest(tree.build()), before);
  EXPECT_EQ(build_digest({tree.path("bin/train")}), file_digest(tree.path("bin/train"))) << "as older versions did";
}

TEST(ProgramBuild, TheCopyLoadsTheCopiesWhateverIsBuiltMeanwhile) {
  const BuildTree base, head;
  head.build_layer("two");
  const TemporaryFolder out;
  const StagedBuilds builds = stage_builds(out.path() / "staged", base.build(), head.build());
  base.build_layer("rebuilt");
  fs::remove(head.path("lib/liblayer.so"));
  EXPECT_EQ(printed_by(builds.base), "one\n");
  EXPECT_EQ(printed_by(builds.aa_copy), "one\n");
  EXPECT_EQ(printed_by(builds.head), "two\n");
  EXPECT_NE(builds.base_digest, builds.head_digest);
  EXPECT_NE(stage_builds(out.path() / "staged", base.build(), base.build()).base_digest, builds.base_digest);
  EXPECT_EQ(printed_by(builds.head), "rebuilt\n");
}

TEST(ProgramBuild, ACopyIsCopiedWithItsLibraries) {
  const BuildTree tree;
  const TemporaryFolder plan, node;
  const StagedBuilds planned = stage_builds(plan.path(), tree.build(), tree.build());
  fs::remove_all(tree.path("lib"));
  const ProgramBuild again = program_build(planned.head, plan.path());
  EXPECT_EQ(build_digest(again), planned.head_digest);
  const StagedBuilds staged = stage_builds(node.path(), program_build(planned.base, plan.path()), again);
  EXPECT_EQ(staged.head_digest, planned.head_digest);
  EXPECT_EQ(printed_by(staged.head), "one\n");
}

TEST(ProgramBuild, BothSidesGetTheVariableWhereOneNeedsIt) {
  const BuildTree tree;
  const TemporaryFolder other, out;
  const fs::path alone = other.write("train", "#!/bin/sh\n");
  StagedBuilds builds = stage_builds(out.path(), {alone}, tree.build());
  const auto variable = [](const fs::path& program, const Variables& variables) {
    const Variables with = with_own_libraries(variables, program);
    const auto found = with.find("LD_LIBRARY_PATH");
    return found == with.end() ? "" : found->second;
  };
  EXPECT_EQ(variable(builds.base, {}).size(), variable(builds.head, {}).size());
  EXPECT_EQ(variable(builds.head, {{"LD_LIBRARY_PATH", "/mine"}}), library_folder(builds.head).string() + ":/mine");
  builds = stage_builds(out.path(), {alone}, {alone});
  EXPECT_EQ(variable(builds.base, {}), "") << "and no library of an earlier build is left";
}

TEST(ProgramBuild, ALibraryThatNoCopyCanReplaceIsRefused) {
  const auto refusal = [](const BuildTree& tree) -> std::string {
    try {
      tree.build();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(BuildTree("-Wl,--disable-new-dtags")), HasSubstr("libmodel.so by DT_RPATH"));
  const BuildTree tree;
  tree.compile("bin/train", "const char* model(); int main() { return model()[0]; }",
               {tree.path("lib/libmodel.so").string()});
  EXPECT_THAT(refusal(tree), HasSubstr("libmodel.so by its path"));
}

TEST(ProgramBuild, LibTorchInTheTreeIsLeftOut) {
  const BuildTree tree;
  tree.compile("lib/libc10.so", "int c10;", {"-shared"});
  tree.compile("lib/libtorch_cpu.so", "int torch() { return 1; }", {"-shared"});
  tree.compile("bin/train", "int torch(); const char* model(); int main() { return torch() + model()[0]; }",
               {"-lmodel", "-ltorch_cpu"});
  EXPECT_THAT(names_of(tree.build()), ElementsAre("liblayer.so", "libmodel.so"));
}

// Every offset, count and index in the file may be anything: the sanitizers see what is read out of bounds.
TEST(ElfLibraries, OfADamagedProgramAreFewerAndNoError) {
  const BuildTree tree;
  const fs::path file = tree.path("bin/train");
  EXPECT_THAT(read_elf_libraries(file).needed, testing::Contains("libmodel.so"));
  EXPECT_THAT(read_elf_libraries(file).runpath, ElementsAre(tree.path("lib").string()));
  std::mt19937_64 random(7);
  const auto size = fs::file_size(file);
  for (int i = 0; i < 200; ++i) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(i % 3 == 0 ? random() % 64 : random() % size));
    stream.put(static_cast<char>(random()));
    stream.close();
    EXPECT_LT(read_elf_libraries(file).needed.size(), size);
  }
  EXPECT_THAT(read_elf_libraries(tree.path("missing")).needed, IsEmpty());
}

}  // namespace
}  // namespace stepgate
