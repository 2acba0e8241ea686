#include "emulator/machine/call_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "emulator/machine/machine_fixture.h"
#include "support/temporary_folder.h"

namespace stepgate::emulator {
namespace {

using CallLogOfAMachine = MachineTest;

TEST(CallLog, CountsCallsByName) {
  CallLog log{""};
  log.left({.name = "cudaMalloc"});
  log.left({.name = "cudaMalloc"});
  log.left({.name = "cuMemCreate"});
  EXPECT_EQ(log.totals().calls, (std::map<std::string, std::uint64_t>{{"cudaMalloc", 2}, {"cuMemCreate", 1}}));
}

TEST(CallLog, AMarkEndsAStretch) {
  CallLog log{""};
  log.left({.name = "cudaMalloc"});
  log.mark("counts 0");
  EXPECT_TRUE(log.totals().calls.empty());
}

TEST(CallLog, WritesALineForEachStretch) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "log").string();
  CallLog log{path};
  log.left({.name = "cudaMalloc"});
  log.mark("counts \"0\"");
  EXPECT_THAT(stepgate::text_of(path),
              testing::StartsWith("{\"mark\": \"counts \\\"0\\\"\", \"calls\": {\"cudaMalloc\": 1}, "))
      << "a process may end at any time";
  log.close();
  EXPECT_THAT(stepgate::text_of(path), testing::HasSubstr("\n{\"mark\": \"end\", \"calls\": {}, "));
}

TEST(CallLog, TheEndIsTheLastLineThoughOtherThreadsGoOn) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "log").string();
  CallLog log{path};
  std::atomic<bool> has_ended = false;
  std::vector<std::thread> marking;
  for (int thread = 0; thread < 4; ++thread) {
    marking.emplace_back([&] {
      while (!has_ended) log.mark("counts 0");
    });
  }
  while (stepgate::text_of(path).empty()) std::this_thread::yield();
  log.close();
  const std::string written = stepgate::text_of(path);
  has_ended = true;
  for (std::thread& thread : marking) thread.join();
  EXPECT_EQ(stepgate::text_of(path), written);
  const std::size_t last = written.rfind('\n', written.size() - 2) + 1;
  EXPECT_THAT(written.substr(last), testing::StartsWith("{\"mark\": \"end\", "));
}

TEST(CallLog, TheLineHasEveryTotal) {
  LogTotals totals;
  totals.own_kernels["k\n"] = 2;
  totals.library_kernels["gemm"] = 1;
  totals.copies["peer"] = {3, 40, 1};
  totals.memsets = {1, 8, 0};
  totals.collectives["all_reduce"] = {1, 16, 0};
  totals.waits["cudaFree free"] = 5;
  totals.graph_launches = 6;
  totals.graph_nodes = 7;
  totals.allocations["device"] = {1, 512, 0};
  EXPECT_EQ(json_of(totals, "m"),
            "{\"mark\": \"m\", \"calls\": {}, \"own_kernels\": {\"k\\u000a\": 2}, \"library_kernels\": {\"gemm\": 1}, "
            "\"copies\": {\"peer\": {\"count\": 3, \"bytes\": 40, \"not_moved\": 1}}, "
            "\"memsets\": {\"count\": 1, \"bytes\": 8, \"not_moved\": 0}, "
            "\"collectives\": {\"all_reduce\": {\"count\": 1, \"bytes\": 16, \"not_moved\": 0}}, "
            "\"waits\": {\"cudaFree free\": 5}, \"graph_launches\": 6, \"graph_nodes\": 7, "
            "\"allocations\": {\"device\": {\"count\": 1, \"bytes\": 512, \"not_moved\": 0}}, \"frees\": {}}");
}

TEST_F(CallLogOfAMachine, OwnKernelsAndLibraryCallsAreApart) {
  const StreamHandle one = stream();
  kernel(one, 1);
  machine_.submit(me_, one, {.name = "gemm", .cost_ns = 1, .is_library = true});
  const LogTotals totals = log_.totals();
  EXPECT_EQ(totals.own_kernels, (std::map<std::string, std::uint64_t>{{"kernel", 1}}));
  EXPECT_EQ(totals.library_kernels, (std::map<std::string, std::uint64_t>{{"gemm", 1}}));
}

TEST_F(CallLogOfAMachine, EventsValuesAndHostFunctionsAreNoWork) {
  const StreamHandle one = stream();
  machine_.record_event(me_, event(), one);
  machine_.add_effect(me_, one, [] {});
  machine_.submit(me_, one, {.kind = OperationKind::host_function, .effect = [] {}});
  synchronize(one);
  const LogTotals totals = log_.totals();
  EXPECT_TRUE(totals.own_kernels.empty());
  EXPECT_TRUE(totals.copies.empty());
  EXPECT_EQ(totals.memsets.count, 0U);
}

}  // namespace
}  // namespace stepgate::emulator
