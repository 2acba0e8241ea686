#include "measure/passes/exact/child_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

using testing::IsEmpty;
using testing::UnorderedElementsAre;

bool some_children() { return true; }

/// A small /proc, in which process 70 is asked.
struct ProcFolder {
  TemporaryFolder place;

  void add(int process, const std::string& name, int parent) {
    const fs::path folder = place.path() / std::to_string(process);
    fs::create_directories(folder);
    std::ofstream(folder / "stat") << process << " (" << name << ") S " << parent << " 1 2 3\n";
    std::ofstream(place.path() / "loadavg") << "0.1 0.2 0.3 1/99 " << process << "\n";
  }
  fs::path self() const { return place.path() / "70"; }
};

TEST(ChildProcesses, AreThoseWithThisParent) {
  ProcFolder proc;
  proc.add(70, "trainer", 1);
  ChildProcesses children(proc.self(), some_children);
  EXPECT_THAT(children.ids().value(), IsEmpty());
  proc.add(71, "a ) S 9 name", 70);
  proc.add(72, "other", 1);
  proc.add(73, "worker", 70);
  EXPECT_THAT(children.ids().value(), UnorderedElementsAre("71", "73"));
  fs::remove_all(proc.place.path() / "73");
  EXPECT_THAT(children.ids().value(), UnorderedElementsAre("71")) << "the other one has ended";
  ChildProcesses without(proc.self(), [] { return false; });
  EXPECT_THAT(without.ids().value(), IsEmpty()) << "nothing is read";
}

TEST(ChildProcesses, AreNotLookedForAgainWhileNothingStarts) {
  ProcFolder proc;
  proc.add(70, "trainer", 1);
  ChildProcesses children(proc.self(), some_children);
  EXPECT_THAT(children.ids().value(), IsEmpty());
  fs::create_directories(proc.place.path() / "71");
  std::ofstream(proc.place.path() / "71/stat") << "71 (x) S 70 1";
  EXPECT_THAT(children.ids().value(), IsEmpty());
  proc.add(80, "elsewhere", 1);
  EXPECT_THAT(children.ids().value(), UnorderedElementsAre("71"));
}

TEST(ChildProcesses, DamagedFilesNameNone) {
  ProcFolder proc;
  EXPECT_FALSE(ChildProcesses(proc.self(), some_children).ids()) << "nothing is there";
  proc.add(70, "trainer", 1);
  for (const char* stat : {"", ")", "71 (x)", "71 (x) S", "71 (x) S ", "71 x S 70"}) {
    fs::create_directories(proc.place.path() / "71");
    std::ofstream(proc.place.path() / "71/stat") << stat;
    EXPECT_THAT(ChildProcesses(proc.self(), some_children).ids().value(), IsEmpty()) << stat;
  }
}

}  // namespace
}  // namespace stepgate
