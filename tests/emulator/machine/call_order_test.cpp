#include "emulator/machine/call_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

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
                                  "copy device 0 stream 1 device_to_host pageable bytes 4\n"
                                  "wait copy cudaMemcpyAsync\n"
                                  "kernel device 0 stream 1 kernel grid 4,1,1 block 256,1,1\n"));
}

TEST(CallOrder, ALoopThatFollowsANumberOfTheDeviceIsFound) {
  const auto difference = first_difference(order_of_a_loop("held", true), order_of_a_loop("other", true));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->line, 5U);
  EXPECT_THAT(difference->one, testing::StartsWith("kernel"));
  EXPECT_THAT(difference->other, testing::StartsWith("wait free"));
}

TEST(CallOrder, ALoopThatOnlyReadsNumbersIsNot) {
  EXPECT_FALSE(first_difference(order_of_a_loop("held", false), order_of_a_loop("other", false)));
}

TEST(CallOrder, TheFirstDifferenceIsNamed) {
  EXPECT_FALSE(first_difference("", ""));
  EXPECT_FALSE(first_difference("a\nb\n", "a\nb\n"));
  const auto changed = first_difference("a\nb by mul\n", "a\nc by add\n");
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->line, 2U);
  EXPECT_EQ(operator_of_line(changed->one), "mul");
  EXPECT_EQ(operator_of_line(changed->other), "add");
  const auto longer = first_difference("a\n", "a\nb\n");
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->line, 2U);
  EXPECT_EQ(longer->one, "");
  EXPECT_EQ(longer->other, "b");
  EXPECT_EQ(operator_of_line("wait stream cudaStreamSynchronize"), "");
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
