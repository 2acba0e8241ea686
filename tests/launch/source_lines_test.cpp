#include "launch/source_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "launch/function_name.h"
#include "launch/user_file.h"
#include "support/temporary_folder.h"
#include "support/text_mutator.h"
#include "system/elf/elf_symbols.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* printed =
    "0x0000000000001000\n"
    "at::Tensor::item() const\n"
    "/wheel/torch/include/ATen/core/TensorBody.h:500\n"
    "user::CharLm::forward(user::Batch const&)\n"
    "/src/language/char_lm.cpp:61 (discriminator 3)\n"
    "0x0000000000002000\n"
    "??\n"
    "??:0\n"
    "0x0000000000003000\n"
    "main\n"
    "main.cpp:?\n";

/// PATH for one test.
class SearchPath {
 public:
  explicit SearchPath(const std::string& path) : before_(::getenv("PATH")) { ::setenv("PATH", path.c_str(), 1); }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;
  ~SearchPath() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

fs::path own_program() { return fs::read_symlink("/proc/self/exe"); }

/// The address of a function of this program that is not the harness's: googletest's main.
std::uint64_t address_of(const std::string& name) {
  for (const FunctionSymbol& one : read_elf_symbols(own_program()).functions) {
    if (one.name == name) return one.address;
  }
  return 0;
}

ObservedWork work_at(std::uint64_t offset) {
  return {.steps = 1, .build_id = build_id_of(own_program()), .places = {{.offsets = {offset}}}};
}

constexpr const char* outside_symbol = "_ZN7outside8functionEv";

/// A folder with a program called addr2line.
struct FakeAddr2line {
  explicit FakeAddr2line(const std::string& script) {
    const fs::path file = folder.write("addr2line", "#!/bin/sh\n" + script);
    fs::permissions(file, fs::perms::owner_all);
  }
  TemporaryFolder folder;
};

TEST(SourceLines, InlinedFramesAreExpanded) {
  const FramesByOffset frames = frames_in(printed, {0x1000, 0x2000, 0x3000});
  ASSERT_THAT(frames, SizeIs(3));
  const SourceFrame item{"at::Tensor::item", "/wheel/torch/include/ATen/core/TensorBody.h", 500};
  const SourceFrame forward{"user::CharLm::forward", "/src/language/char_lm.cpp", 61};
  EXPECT_THAT(frames.at(0x1000), ElementsAre(item, forward));
  EXPECT_THAT(frames.at(0x2000), ElementsAre(SourceFrame{}));
  EXPECT_THAT(frames.at(0x3000), ElementsAre(SourceFrame{"main"}));
}

TEST(SourceLines, BrokenOutputNeverGivesFramesOfAnotherOffset) {
  TextMutator mutator(7);
  const std::vector<std::uint64_t> offsets = {0x1000, 0x2000, 0x3000};
  for (int i = 0; i < 5000; ++i) {
    for (const auto& [offset, frames] : frames_in(mutator.mutated(printed), offsets)) {
      EXPECT_THAT(offsets, testing::Contains(offset));
      EXPECT_LE(frames.size(), 16U);
    }
  }
  EXPECT_THAT(frames_in("no address\nat all\n", offsets), IsEmpty());
  EXPECT_THAT(frames_in("0x0000000000004000\nf\n/a.cpp:1\n", offsets), IsEmpty());
}

TEST(SourceLines, OnlyTheUsersFilesStay) {
  EXPECT_TRUE(is_user_file("/src/language/char_lm.cpp"));
  EXPECT_TRUE(is_user_file("/usr/src/app/model.cpp"));
  EXPECT_TRUE(is_user_file("/x/harness/core/net.cpp"));
  for (const char* other : {"", "/usr/include/c++/12/bits/stl_vector.h", "/x/torch/include/ATen/core/TensorBody.h",
                            "/x/harness/include/stepgate/workload.h", "/x/build/_deps/fmt-src/include/fmt/core.h"}) {
    EXPECT_FALSE(is_user_file(other)) << other;
  }
}

TEST(SourceLines, FunctionsOfTheHarnessHaveNoPlaceAndThoseOfAFolderOfItsNameDo) {
  const FramesByOffset frames = frames_in(
      "0x0000000000001000\n"
      "std::invoke<int>(int)\n/x/harness/measure/passes/counts_pass.cpp:40\n"
      "void stepgate::(anonymous namespace)::run_step<int>(int)\n/x/harness/measure/passes/counts_pass.cpp:50\n"
      "Net::forward(at::Tensor const&)\n/x/harness/core/net.cpp:60\n"
      "stepgate::CharLm::forward(stepgate::Batch const&)\n/x/perftests/language/char_lm.cpp:70\n"
      "??\n/x/harness/measure/program/main.cpp:80\n",
      {0x1000});
  EXPECT_THAT(frames.at(0x1000),
              ElementsAre(SourceFrame{"std::invoke<int>"}, SourceFrame{"run_step<int>"},
                          SourceFrame{"Net::forward", "/x/harness/core/net.cpp", 60},
                          SourceFrame{"CharLm::forward", "/x/perftests/language/char_lm.cpp", 70}, SourceFrame{}));
}

TEST(SourceLines, WhatIsInlinedIntoTheHarnessHasNoPlace) {
  const FramesByOffset frames = frames_in(
      "0x0000000000001000\n"
      "Net::forward(at::Tensor const&)\n/x/harness/core/net.cpp:60\n"
      "0x0000000000002000\n"
      "Trainer::step()\n/x/train.cpp:12\n"
      "record_in_this_process\n/x/harness/measure/program/record_case.cpp:96\n"
      "stepgate::record_case(stepgate::Case const&)\n/x/harness/measure/program/record_case.cpp:110\n",
      {0x1000, 0x2000});
  EXPECT_THAT(frames.at(0x1000), ElementsAre(SourceFrame{"Net::forward", "/x/harness/core/net.cpp", 60}));
  const auto& inlined = frames.at(0x2000);
  ASSERT_EQ(inlined.size(), 3U);
  EXPECT_EQ(inlined[0].file, "/x/train.cpp");
  EXPECT_EQ(inlined[1].file, "") << "its namespace is that of the function it is inlined into";
}

TEST(SourceLines, FilesAreNamedWithinTheirRepository) {
  const TemporaryFolder folder;
  folder.write(".git", "gitdir: elsewhere\n");
  const std::string file = folder.write("perf/model.cpp", "").string();
  EXPECT_EQ(path_in_repository(file, ""), "perf/model.cpp");
  EXPECT_EQ(path_in_repository((folder.path() / "build/../perf/model.cpp").string(), "/src"), "perf/model.cpp");
  EXPECT_EQ(path_in_repository("/src/perf/model.cpp", "/src"), "perf/model.cpp");
  EXPECT_EQ(path_in_repository("/elsewhere/model.cpp", "/src"), "/elsewhere/model.cpp");
  EXPECT_EQ(path_in_repository("/another/checkout/perf/model.cpp", folder.path()), "perf/model.cpp");
}

TEST(SourceLines, ComeFromAddr2lineWithoutFramesOfOthers) {
  const FakeAddr2line fake(
      "while read offset; do echo 0x0000000000001000; printf 'at::Tensor::item() const\n"
      "/wheel/torch/include/ATen/core/TensorBody.h:5\nuser::CharLm::forward()\n/gone/a.cpp:61\n'; "
      "done\n");
  const SearchPath path(fake.folder.path().string() + ":/usr/bin:/bin");
  ObservedWork work = work_at(0x1000);
  KnownPlaces known;
  resolve_places(work, SourcePlace{.program = own_program(), .source_root = "/gone", .known = &known});
  EXPECT_EQ(work.frames_from, FramesFrom::lines);
  EXPECT_EQ(work.not_lines, "");
  const SourceFrame forward{"user::CharLm::forward", "a.cpp", 61};
  EXPECT_THAT(work.places[0].frames, ElementsAre(forward));
  EXPECT_THAT(work.places[0].offsets, ElementsAre(0x1000));
  // The next process of the same program asks nobody.
  const SearchPath nothing("/nowhere");
  ObservedWork again = work_at(0x1000);
  resolve_places(again, SourcePlace{.program = own_program(), .known = &known});
  EXPECT_THAT(again.places[0].frames, ElementsAre(forward));
}

TEST(SourceLines, WithoutAddr2lineFunctionsComeFromSymbols) {
  const SearchPath nothing("/nowhere");
  ObservedWork work = work_at(address_of(outside_symbol) + 1);
  resolve_places(work, own_program());
  EXPECT_EQ(work.frames_from, FramesFrom::symbols);
  EXPECT_THAT(work.not_lines, HasSubstr("addr2line"));
  EXPECT_THAT(work.places[0].frames, ElementsAre(SourceFrame{"outside::function"}));
}

/// Those of the observer itself, where the user's code is in its namespace.
TEST(SourceLines, FunctionsOnEveryStackTellNoPlace) {
  const SearchPath nothing("/nowhere");
  const std::uint64_t observer = address_of(outside_symbol) + 1;
  ObservedWork work = work_at(observer);
  work.places[0].offsets.push_back(address_of("_ZN7outside7forwardEv") + 1);
  work.places.push_back({.offsets = {observer, address_of("_ZN7outside8backwardEv") + 1}});
  resolve_places(work, own_program());
  EXPECT_THAT(work.places[0].frames, ElementsAre(SourceFrame{"outside::forward"}));
  EXPECT_THAT(work.places[1].frames, ElementsAre(SourceFrame{"outside::backward"}));
}

TEST(SourceLines, AreNotLookedUpInAProgramThatWasReplaced) {
  ObservedWork work = work_at(address_of(outside_symbol));
  work.build_id = "0123";
  resolve_places(work, own_program());
  EXPECT_EQ(work.frames_from, FramesFrom::nothing);
  EXPECT_THAT(work.not_lines, HasSubstr("was replaced"));
  EXPECT_THAT(work.places[0].frames, IsEmpty());
}

TEST(SourceLines, OfABrokenAddr2lineAreNone) {
  for (const char* script : {"exit 1\n", "cat /dev/urandom | head -c 100000\n", "printf '0x1000\\n0x1000\\n'\n"}) {
    const FakeAddr2line fake(script);
    const SearchPath path(fake.folder.path().string() + ":/usr/bin:/bin");
    ObservedWork work = work_at(0x1000);
    resolve_places(work, own_program());
    EXPECT_NE(work.frames_from, FramesFrom::lines) << script;
    EXPECT_NE(work.not_lines, "") << script;
  }
}

/// Each answer costs its whole patience.
TEST(SourceLines, OfASilentAddr2lineAreAskedForOnce) {
  const TemporaryFolder asked;
  const FakeAddr2line fake("echo asked >>" + (asked.path() / "log").string() + "\nexit 1\n");
  const SearchPath path(fake.folder.path().string() + ":/usr/bin:/bin");
  KnownPlaces known;
  for (int process = 0; process < 3; ++process) {
    ObservedWork work = work_at(address_of(outside_symbol) + 1);
    resolve_places(work, SourcePlace{.program = own_program(), .known = &known});
    EXPECT_EQ(work.frames_from, FramesFrom::symbols);
    EXPECT_THAT(work.not_lines, HasSubstr("does not answer"));
  }
  EXPECT_EQ(text_of(asked.path() / "log"), "asked\n");
}

/// No folder can be opened by such a name, and each of its ends would be looked for.
TEST(SourceLines, OfANameThatNoPathCanHaveAreNone) {
  std::string name;
  while (name.size() < 1'000'000) name += "/d";
  const FramesByOffset frames = frames_in("0x0000000000001000\nf()\n" + name + ":5\n", {0x1000});
  EXPECT_THAT(frames.at(0x1000), ElementsAre(SourceFrame{"f"}));
}

}  // namespace
}  // namespace stepgate

namespace outside {
__attribute__((noinline, used)) int function() { return 1; }
__attribute__((noinline, used)) int forward() { return 2; }
__attribute__((noinline, used)) int backward() { return 3; }
}  // namespace outside
