#include "emulator/work/effect_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace stepgate::emulator {
namespace {

class EffectQueueTest : public testing::Test {
 protected:
  Effect writing(char letter) {
    return [this, letter] { text_ += letter; };
  }

  EffectQueue effects_;
  std::string text_;
};

TEST_F(EffectQueueTest, RunsByTimeNotByTheOrderOfAdding) {
  effects_.add(30, writing('c'));
  effects_.add(10, writing('a'));
  effects_.add(20, writing('b'));
  effects_.settle(100);
  EXPECT_EQ(text_, "abc");
}

TEST_F(EffectQueueTest, EqualTimesKeepTheOrderOfAdding) {
  for (const char letter : std::string("abcdefghij")) effects_.add(5, writing(letter));
  effects_.settle(5);
  EXPECT_EQ(text_, "abcdefghij");
}

TEST_F(EffectQueueTest, LaterOnesWait) {
  effects_.add(10, writing('a'));
  effects_.add(11, writing('b'));
  effects_.settle(10);
  EXPECT_EQ(text_, "a");
  EXPECT_EQ(effects_.size(), 1U);
  effects_.settle(11);
  EXPECT_EQ(text_, "ab");
  EXPECT_EQ(effects_.size(), 0U);
}

TEST_F(EffectQueueTest, AnEffectMaySettleOthers) {
  effects_.add(10, [this] {
    text_ += 'a';
    effects_.settle(20);
    text_ += 'c';
  });
  effects_.add(20, writing('b'));
  effects_.settle(10);
  EXPECT_EQ(text_, "abc");
}

TEST_F(EffectQueueTest, OneWithoutAFunctionIsNone) {
  effects_.add(1, {});
  EXPECT_EQ(effects_.size(), 0U);
}

TEST_F(EffectQueueTest, AThreadThatMayNotWaitLeavesEffectsToAnother) {
  std::atomic<bool> has_begun = false;
  std::atomic<bool> may_end = false;
  effects_.add(1, [&] {
    has_begun = true;
    while (!may_end) std::this_thread::yield();
  });
  effects_.add(2, writing('b'));
  std::thread other([&] { effects_.settle(1); });
  while (!has_begun) std::this_thread::yield();
  effects_.settle_if_free(2);
  EXPECT_EQ(text_, "") << "the other thread still runs one";
  may_end = true;
  other.join();
  effects_.settle_if_free(2);
  EXPECT_EQ(text_, "b");
}

}  // namespace
}  // namespace stepgate::emulator
