#include "emulator/cupti/cupti_thread_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace stepgate::emulator {
namespace {

template <typename Stack>
std::vector<int> items_of(const Stack& stack) {
  return {stack.begin(), stack.end()};
}

TEST(CuptiThreadStack, KeepsTheOrder) {
  ThreadStack<int, 3> stack;
  EXPECT_TRUE(stack.push(1));
  EXPECT_TRUE(stack.push(2));
  EXPECT_THAT(items_of(stack), testing::ElementsAre(1, 2));
  stack.pop();
  EXPECT_EQ(stack.top(), 1);
  stack.clear();
  EXPECT_TRUE(stack.empty());
}

TEST(CuptiThreadStack, SaysWhenItIsFull) {
  ThreadStack<int, 1> stack;
  EXPECT_TRUE(stack.push(1));
  EXPECT_FALSE(stack.push(2));
  EXPECT_THAT(items_of(stack), testing::ElementsAre(1));
}

static_assert(std::is_trivially_destructible_v<ThreadStack<int, 1>>);

}  // namespace
}  // namespace stepgate::emulator
