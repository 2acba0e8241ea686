#include "emulator/machine/call_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "emulator/machine/machine_fixture.h"
#include "support/temporary_folder.h"

namespace stepgate::emulator {
namespace {

/// A training loop that stops where its loss is above 3, as the device delivers it.
std::string order_of_a_loop(const std::string& answers, bool stops) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "order").string();
  EmulatedMachine machine(read_machine_options("h100 answers=" + answers));
  CallOrder order(path);
  machine.add_observer(order);
  const Caller me{.thread = 1, .function = "cudaMemcpyAsync"};
  void* device = machine.allocate(me, 4).address;
  for (int step = 0; step < 3; ++step) {
    machine.submit(me, default_stream, {.name = "kernel", .cost_ns = 10, .grid = {4, 1, 1}, .block = {256, 1, 1}});
    float loss = 0;
    machine.copy(me, {.to = &loss, .from = device, .bytes = sizeof loss});
    if (stops && loss > 3) break;
  }
  machine.free(me, device);
  return stepgate::text_of(path);
}

TEST(CallOrder, HasALineForEachPieceOfWork) {
  EXPECT_THAT(order_of_a_loop("held", true),
              testing::StartsWith("allocation device bytes 4\n"
                                  "kernel device 0 stream 1 kernel grid 4,1,1 block 256,1,1\n"
                                  "copy device 0 stream 1 device_to_host pageable bytes 4 at "));
}

TEST(CallOrder, WorkOfAnotherThreadNamesIt) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "order").string();
  EmulatedMachine machine(read_machine_options("h100"));
  CallOrder order(path);
  machine.add_observer(order);
  const auto allocate = [&](std::uint64_t thread) {
    machine.allocate({.thread = thread, .function = "cudaMalloc"}, 4);
  };
  allocate(1);
  std::thread([&] { allocate(2); }).join();
  allocate(1);
  EXPECT_EQ(stepgate::text_of(path),
            "allocation device bytes 4\nthread 2 allocation device bytes 4\nallocation device bytes 4\n");
}

/// The lines without their places.
std::vector<std::string> lines_of_a_loop(const std::string& answers, bool stops) {
  std::vector<std::string> lines;
  std::istringstream text(order_of_a_loop(answers, stops));
  for (std::string line; std::getline(text, line);) lines.push_back(line.substr(0, line.find(" at ")));
  return lines;
}

TEST(CallOrder, ACopyToTheHostSaysWhereInTheProgramItIs) {
  const std::string order = order_of_a_loop("held", true);
  const std::size_t at = order.find(" at ");
  ASSERT_NE(at, std::string::npos);
  const std::string places = order.substr(at + 4, order.find('\n', at) - at - 4);
  EXPECT_THAT(places, testing::MatchesRegex("[0-9a-f]+(,[0-9a-f]+)*"));
}

TEST(CallOrder, ALoopThatFollowsANumberOfTheDeviceGoesAnotherWay) {
  const std::vector<std::string> held = lines_of_a_loop("held", true);
  const std::vector<std::string> other = lines_of_a_loop("other", true);
  ASSERT_GT(held.size(), 4U);
  ASSERT_GT(other.size(), 4U);
  EXPECT_EQ(held[3], other[3]);
  EXPECT_THAT(held[4], testing::StartsWith("kernel"));
  EXPECT_THAT(other[4], testing::StartsWith("wait free"));
}

TEST(CallOrder, ALoopThatOnlyReadsNumbersDoesNot) {
  EXPECT_EQ(lines_of_a_loop("held", false), lines_of_a_loop("other", false));
}

TEST(OtherAnswers, AreNumbersAndLeaveTheDeviceAlone) {
  EmulatedMachine machine(read_machine_options("h100 answers=other"));
  const Caller me{.thread = 1, .function = "call"};
  char* device = static_cast<char*>(machine.allocate(me, 8).address);
  std::strcpy(device, "held");
  float number = 0;
  machine.copy(me, {.to = &number, .from = device, .bytes = sizeof number});
  EXPECT_NEAR(number, 3.0, 0.01);
  EXPECT_STREQ(device, "held");
  char pinned_from[8] = "host";
  machine.copy(me, {.to = device, .from = pinned_from, .bytes = 8, .synchronous = true});
  EXPECT_STREQ(device, "host") << "copies to the device are as they are";
}

}  // namespace
}  // namespace stepgate::emulator
