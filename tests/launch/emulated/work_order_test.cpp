#include "launch/emulated/work_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(OrderedWork, IsWhatTheOperatorAndThePlace) {
  const OrderedWork work =
      ordered_work("copy device 0 stream 1 device_to_host pageable bytes 4 by _local_scalar_dense at 1a2b30,1a2c10");
  EXPECT_EQ(work.what, "copy device 0 stream 1 device_to_host pageable bytes 4");
  EXPECT_EQ(work.operator_name, "aten::_local_scalar_dense");
  EXPECT_THAT(work.offsets, ElementsAre(0x1a2b30, 0x1a2c10));
}

TEST(OrderedWork, MayLackBoth) {
  const OrderedWork work = ordered_work("wait stream cudaStreamSynchronize");
  EXPECT_EQ(work.what, "wait stream cudaStreamSynchronize");
  EXPECT_EQ(work.operator_name, "");
  EXPECT_THAT(work.offsets, IsEmpty());
}

TEST(OrderedWork, WhatIsNoPlaceOrOperatorIsText) {
  for (const char* line : {"kernel look at me", "kernel at 1a,", "kernel at 1a,,2", "kernel at -1",
                           "kernel by two words", "kernel at 11112222333344445", "kernel by ", "kernel at "}) {
    EXPECT_EQ(ordered_work(line).what, line);
    EXPECT_THAT(ordered_work(line).offsets, IsEmpty()) << line;
    EXPECT_EQ(ordered_work(line).operator_name, "") << line;
  }
  EXPECT_EQ(ordered_work(std::string(5000, 'x')).what.size(), 200U);
}

TEST(OrderDifference, IsTheFirstLineWithTheReadBefore) {
  EXPECT_FALSE(order_difference("", ""));
  EXPECT_FALSE(order_difference("a\nb\n", "a\nb\n"));
  const auto difference = order_difference(
      "kernel x by mul\ncopy device 0 stream 1 device_to_host bytes 4 by item at 1f\nkernel y by add\n",
      "kernel x by mul\ncopy device 0 stream 1 device_to_host bytes 4 by item at 1f\nkernel z by sub\nmore\n");
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->line, 3);
  EXPECT_EQ(difference->one->operator_name, "aten::add");
  EXPECT_EQ(difference->other->operator_name, "aten::sub");
  ASSERT_TRUE(difference->read);
  EXPECT_THAT(difference->read->offsets, ElementsAre(0x1f));
}

TEST(OrderDifference, AnOrderThatEndsDiffersThere) {
  const auto longer = order_difference("a\n", "a\nb\n");
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->line, 2);
  EXPECT_FALSE(longer->one);
  EXPECT_EQ(longer->other->what, "b");
  EXPECT_FALSE(longer->read);
  EXPECT_FALSE(order_difference("a\nb", "a\nb\n")) << "a process that was killed wrote no end of its line";
}

/// A backward on a thread of its own beside work of the first one.
TEST(OrderDifference, WhichThreadComesFirstIsNoDifference) {
  EXPECT_FALSE(order_difference("a\nthread 2 x\nb\nthread 2 y\n", "a\nb\nthread 2 x\nthread 2 y\n"));
  EXPECT_FALSE(order_difference("a\nthread 2 x\nthread 3 y\n", "a\nthread 2 y\nthread 3 x\n"))
      << "numbers are by chance";
  EXPECT_TRUE(order_difference("a\nthread 2 x\nthread 2 y\n", "a\nthread 2 y\nthread 2 x\n"));
  EXPECT_TRUE(order_difference("a\nthread 2 x\nthread 3 x\n", "a\nthread 2 x\n")) << "one thread more";
  EXPECT_TRUE(order_difference("a\nthread x\n", "a\nthread y\n")) << "no number: part of the text";
}

/// An optimizer's state is a map of addresses, and cudaMallocAsync tells of each block.
TEST(OrderDifference, BlocksThatAreFreedTogetherHaveNoOrder) {
  EXPECT_FALSE(order_difference("free pooled bytes 4\nfree pooled bytes 8\nkernel\n",
                                "free pooled bytes 8\nfree pooled bytes 4\nkernel\n"));
  EXPECT_FALSE(
      order_difference("free pooled bytes 4\nfree pooled bytes 8\n", "free pooled bytes 8\nfree pooled bytes 4\n"));
  EXPECT_TRUE(order_difference("free pooled bytes 4\nkernel\nfree pooled bytes 8\n",
                               "free pooled bytes 8\nkernel\nfree pooled bytes 4\n"));
  EXPECT_TRUE(order_difference("free pooled bytes 4\n", "free pooled bytes 4\nfree pooled bytes 4\n"));
  EXPECT_TRUE(
      order_difference("free device bytes 4\nfree device bytes 8\n", "free device bytes 8\nfree device bytes 4\n"));
}

TEST(OrderDifference, OfAThreadHasTheLastReadOfAnyThread) {
  const auto difference = order_difference(
      "kernel x by mul\nthread 2 kernel p\ncopy device_to_host by item at 1f\nthread 2 kernel y by add\n",
      "kernel x by mul\ncopy device_to_host by item at 1f\nthread 2 kernel p\nthread 2 kernel z by sub\n");
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->line, 4);
  EXPECT_EQ(difference->one->operator_name, "aten::add");
  EXPECT_EQ(difference->other->operator_name, "aten::sub");
  ASSERT_TRUE(difference->read);
  EXPECT_THAT(difference->read->offsets, ElementsAre(0x1f));
}

TEST(OrderDifference, ACutOrderSaysSo) {
  EXPECT_TRUE(is_cut("kernel\norder is cut here\n"));
  EXPECT_FALSE(is_cut("kernel\n"));
  EXPECT_FALSE(is_cut(""));
}

/// A program may write anything in place of its order.
TEST(OrderDifference, TakesAnyBytes) {
  std::mt19937 draw(5);  // NOLINT(cert-msc51-cpp)
  const std::string letters = std::string(" at by 0f,\n:\\\x1b\xff", 15) + '\0';
  for (int round = 0; round < 3000; ++round) {
    std::string one;
    for (std::uint32_t length = draw() % 60; length > 0; --length) one += letters[draw() % letters.size()];
    std::string other = one;
    if (!other.empty() && round % 2 == 0) other[draw() % other.size()] = letters[draw() % letters.size()];
    const auto difference = order_difference(one, other);
    EXPECT_EQ(difference.has_value(), one != other) << testing::PrintToString(one) << testing::PrintToString(other);
    const auto lines = 1 + std::count(one.begin(), one.end(), '\n') + std::count(other.begin(), other.end(), '\n');
    EXPECT_LE(difference ? difference->line : 0, lines);
  }
}

}  // namespace
}  // namespace stepgate
