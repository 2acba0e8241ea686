#include "emulator/hazards/hazard_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "emulator/hazards/hazard_script.h"
#include "support/temporary_folder.h"

namespace stepgate::emulator {
namespace {

using testing::HasSubstr;

TEST(HazardFinder, FindsOneMissingWaitOnceWhateverItWouldOrder) {
  HazardScript script;
  const StreamHandle maker = script.stream();
  const StreamHandle user = script.stream();
  char* const one = script.tensor();
  char* const other = script.tensor();
  script.kernel(maker, "fill_one", {writes(one)});
  script.kernel(maker, "fill_other", {writes(other)});
  script.kernel(user, "sum", {reads(one), reads(other)});
  ASSERT_EQ(script.finder.hazards().size(), 1U);
  EXPECT_EQ(script.operator_of(script.finder.hazards()[0].earlier), "fill_other");
  script.kernel(user, "mean", {reads(one)});
  EXPECT_EQ(script.finder.hazards().size(), 1U);
  script.kernel(maker, "fill_one_again", {writes(one)});
  EXPECT_EQ(script.finder.hazards().size(), 2U);
}

TEST(HazardFinder, WhatFollowsAnAssumedOrderIsStillFound) {
  HazardScript script;
  const StreamHandle maker = script.stream();
  const StreamHandle user = script.stream();
  char* const one = script.tensor();
  char* const other = script.tensor();
  script.kernel(maker, "fill_one", {writes(one)});
  script.kernel(user, "sum_one", {reads(one)});
  script.kernel(maker, "fill_other", {writes(other)});
  script.kernel(user, "sum_other", {reads(other)});
  EXPECT_EQ(script.finder.hazards().size(), 2U);
}

TEST(HazardFinder, ReadsOfTwoStreamsAreNone) {
  HazardScript script;
  char* const weight = script.tensor();
  script.kernel(script.stream(), "one", {reads(weight)});
  script.kernel(script.stream(), "other", {reads(weight)});
  EXPECT_TRUE(script.finder.hazards().empty());
}

TEST(HazardFinder, ColumnsThatOnlyInterlaceAreNone) {
  HazardScript script;
  char* const matrix = script.tensor();
  const MemoryAccess column{matrix, tensor_bytes, true, true};
  script.kernel(script.stream(), "left", {column});
  script.kernel(script.stream(), "right", {column});
  EXPECT_TRUE(script.finder.hazards().empty());
  script.kernel(script.stream(), "sum", {reads(matrix)});
  EXPECT_FALSE(script.finder.hazards().empty());
}

TEST(HazardFinder, AWaitForTheDeviceOrdersAllThatComesLater) {
  HazardScript script;
  char* const numbers = script.tensor();
  script.kernel(script.stream(), "fill", {writes(numbers)});
  script.machine.synchronize_device(script.me);
  script.kernel(script.stream(), "sum", {reads(numbers)});
  EXPECT_TRUE(script.finder.hazards().empty());
}

TEST(HazardFinder, AWaitOfWhoeverMeasuresOrdersNothing) {
  HazardScript script;
  char* const numbers = script.tensor();
  script.kernel(script.stream(), "fill", {writes(numbers)});
  script.finder.set_own_waits(1, true);
  script.machine.synchronize_device(script.me);
  script.finder.set_own_waits(1, false);
  script.kernel(script.stream(), "sum", {reads(numbers)});
  EXPECT_EQ(script.finder.hazards().size(), 1U);
  script.machine.synchronize_device(script.me);
  script.kernel(script.stream(), "mean", {reads(numbers)});
  EXPECT_EQ(script.finder.hazards().size(), 1U);
}

/// By another thread. Here the kernel that is waited for does it, so that it comes within the wait each time.
TEST(HazardFinder, AWaitOrdersNothingThatIsQueuedMeanwhile) {
  HazardScript script;
  const StreamHandle maker = script.stream();
  const EventHandle filled = script.event();
  char* const numbers = script.tensor();
  const auto fill_again = [&] {
    script.kernel(maker, "fill_again", {writes(numbers)});
    script.record(filled, maker);
  };
  const std::vector<std::function<void()>> waits = {
      [&] { script.machine.synchronize_stream(script.me, maker); },
      [&] { script.machine.synchronize_device(script.me); },
      [&] { script.machine.synchronize_event(script.me, filled); },
  };
  for (std::size_t way = 0; way < waits.size(); ++way) {
    script.machine.submit(script.me, maker, {.name = "kernel", .cost_ns = 1'000'000, .effect = fill_again});
    script.record(filled, maker);
    waits[way]();
    EXPECT_EQ(script.finder.totals().hazards + script.finder.totals().repeated, way);
    script.kernel(script.stream(), "sum", {reads(numbers)});
    EXPECT_EQ(script.finder.totals().hazards + script.finder.totals().repeated, way + 1);
    script.machine.synchronize_device(script.me);
  }
}

TEST(HazardFinder, WhatAWatchingThreadHearsOrdersNothing) {
  HazardScript script;
  const StreamHandle maker = script.stream();
  char* const numbers = script.tensor();
  const EventHandle filled = script.event();
  script.kernel(maker, "fill", {writes(numbers)});
  script.record(filled, maker);
  script.let_all_end();
  EXPECT_EQ(script.machine.query_event({.thread = 2, .function = "watchdog"}, filled), Outcome::ok);
  script.kernel(script.stream(), "sum", {reads(numbers)});
  EXPECT_EQ(script.finder.hazards().size(), 1U);
}

/// An allocator asks before a thread's first kernel whether memory that other streams have used is free.
TEST(HazardFinder, WhatAThreadHearsBeforeItsFirstWorkOrdersThatWork) {
  for (const bool asks_for_an_event : {true, false}) {
    HazardScript script;
    const StreamHandle maker = script.stream();
    char* const numbers = script.tensor();
    const EventHandle filled = script.event();
    const Caller other{.thread = 2, .function = "backward"};
    script.kernel(maker, "fill", {writes(numbers)});
    script.record(filled, maker);
    script.let_all_end();
    EXPECT_EQ(asks_for_an_event ? script.machine.query_event(other, filled) : script.machine.query_stream(other, maker),
              Outcome::ok);
    const StreamHandle user = script.stream();
    script.machine.submit(other, user, {.name = "kernel"});
    script.kernel(user, "sum", {reads(numbers)});
    EXPECT_TRUE(script.finder.hazards().empty());
    script.kernel(maker, "fill_again", {writes(numbers)});
    EXPECT_EQ(script.finder.hazards().size(), 1U) << "only what it has heard of";
  }
}

/// As a thread that loads data does: it asks whether page-locked memory may be used again, and gives no work.
TEST(HazardFinder, WhatAThreadHearsOrdersItsOwnAccesses) {
  HazardScript script;
  const StreamHandle copies = script.stream();
  const char* const batch = script.pinned();
  const EventHandle copied = script.event();
  const Caller loader{.thread = 2, .function = "loader"};
  script.copy(copies, "copy", script.tensor(), batch);
  script.record(copied, copies);
  script.let_all_end();
  EXPECT_EQ(script.machine.query_event(loader, copied), Outcome::ok);
  script.machine.add_host_accesses(loader, {writes(batch)});
  EXPECT_TRUE(script.finder.hazards().empty());
}

TEST(HazardFinder, MemoryThatIsNewHasNoPast) {
  HazardScript script;
  char* const numbers = script.tensor();
  script.kernel(script.stream(), "fill", {writes(numbers)});
  script.finder.allocated({.address = numbers, .bytes = tensor_bytes});
  script.kernel(script.stream(), "fill_next", {writes(numbers)});
  EXPECT_TRUE(script.finder.hazards().empty());
}

TEST(HazardFinder, PooledMemoryOfAnotherStreamComesInItsOrder) {
  HazardScript script;
  const StreamHandle one = script.stream();
  const StreamHandle other = script.stream();
  char* const numbers = script.tensor();
  char* const memory = static_cast<char*>(script.machine.allocate_async(script.me, tensor_bytes, one).address);
  script.kernel(one, "use", {writes(memory), writes(numbers)});
  script.release(one, "release", memory);
  script.finder.allocated(
      {.kind = MemoryKind::pooled, .address = memory, .bytes = tensor_bytes, .place = {0, other, 2, false}});
  script.kernel(other, "fill", {writes(memory), reads(numbers)});
  EXPECT_TRUE(script.finder.hazards().empty());
}

TEST(HazardFinder, CountsKernelsThatNobodyTellsOf) {
  HazardScript script;
  const StreamHandle stream = script.stream();
  script.machine.submit(script.me, stream, {.name = "own_kernel"});
  script.kernel(stream, "add", {});
  EXPECT_EQ(script.finder.totals().kernels, 2U);
  EXPECT_EQ(script.finder.totals().unknown_kernels, 1U);
}

TEST(HazardFinder, AKernelBelongsToTheInnermostOperator) {
  HazardScript script;
  const StreamHandle stream = script.stream();
  script.finder.begin_operator(1, {"outer"});
  script.kernel(stream, "inner", {});
  EXPECT_TRUE(script.finder.streams_of_operator(1).empty());
  script.machine.submit(script.me, stream, {.name = "kernel"});
  const std::vector<KernelStream> expected = {{0, stream}};
  EXPECT_EQ(script.finder.streams_of_operator(1), expected);
  script.finder.end_operator(1);
}

TEST(HazardFinder, TheFileHasALineForEachAndOneForTheEnd) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "hazards").string();
  HazardFinder finder(path);
  EmulatedMachine machine(read_machine_options("h100"));
  machine.add_observer(finder);
  const Caller me{.thread = 1, .function = "call"};
  char* const numbers = static_cast<char*>(machine.allocate(me, tensor_bytes).address);
  const StreamHandle one = machine.create_stream(me, {.non_blocking = true}).handle;
  const StreamHandle other = machine.create_stream(me, {.non_blocking = true}).handle;
  for (int step = 0; step < 2; ++step) {
    machine.set(me, {.to = numbers, .bytes = tensor_bytes, .stream = one});
    machine.set(me, {.to = numbers, .bytes = tensor_bytes, .stream = other});
    machine.synchronize_device(me);
  }
  EXPECT_THAT(stepgate::text_of(path),
              testing::StartsWith("{\"kind\": \"write after write\", \"earlier\": {\"maker\": \"memset\", "
                                  "\"work\": \"memset\", \"operator\": \"\", \"writes\": true, \"device\": 0, "
                                  "\"stream\": 1, \"in_graph\": false, \"place\": {\"offsets\": [\""));
  finder.close();
  EXPECT_THAT(stepgate::text_of(path), HasSubstr("\"hazards\": 1, \"repeated\": 1, \"forgotten\": 0}\n"));
}

/// Lines so long that the stream does not wait for more.
TEST(HazardFinder, RanksShareAFileLineByLine) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "hazards").string();
  const auto run_rank = [&path](const std::string& letter) {
    HazardFinder finder(path);
    const WorkPlace one{0, first_handle, 1, false};
    const WorkPlace other{0, first_handle + 1, 2, false};
    static char numbers[tensor_bytes];
    for (int line = 0; line < 300; ++line) {
      std::string name;
      for (int length = 0; length < 2000; ++length) name += letter;
      finder.begin_operator(1, {name + std::to_string(line)});
      const std::uint32_t origin = finder.origin_of_call(1);
      finder.accessed({one, {writes(numbers)}, origin});
      finder.accessed({other, {writes(numbers)}, origin});
      finder.end_operator(1);
    }
    finder.close();
  };
  std::thread rank(run_rank, "a");
  run_rank("b");
  rank.join();
  std::istringstream lines(stepgate::text_of(path));
  int whole = 0;
  for (std::string line; std::getline(lines, line); ++whole) {
    ASSERT_THAT(line, testing::AllOf(testing::StartsWith("{"), testing::EndsWith("}"), testing::Not(HasSubstr("}{"))));
  }
  EXPECT_EQ(whole, 2 * 600);
}

}  // namespace
}  // namespace stepgate::emulator
