#include "emulator/work/effect_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
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

/// A function of the program at 10, which another thread is in until it is let go.
class ProgramFunction : public EffectQueueTest {
 protected:
  ProgramFunction() {
    effects_.add(
        10,
        [this] {
          has_begun_.set_value();
          may_end_.get_future().wait();
          text_ += 'f';
        },
        EffectKind::function);
    other_ = std::thread([this] { effects_.settle(10); });
    has_begun_.get_future().wait();
  }
  ~ProgramFunction() override { let_go(); }

  void let_go() {
    if (!other_.joinable()) return;
    may_end_.set_value();
    other_.join();
  }

 private:
  std::promise<void> has_begun_;
  std::promise<void> may_end_;
  std::thread other_;
};

TEST_F(ProgramFunction, DoesNotKeepEffectsBeforeItFromAnotherThread) {
  effects_.add(9, writing('a'));
  effects_.settle(9);
  EXPECT_EQ(text_, "a");
}

TEST_F(ProgramFunction, KeepsThoseBehindItInOrder) {
  effects_.add(10, writing('b'));
  effects_.add(11, writing('c'));
  effects_.settle_if_free(20);
  EXPECT_EQ(text_, "");
  let_go();
  effects_.settle(20);
  EXPECT_EQ(text_, "fbc");
}

TEST_F(ProgramFunction, IsWaitedForByWhoWaitsForItsTime) {
  std::future<void> waiting = std::async(std::launch::async, [this] { effects_.settle(10); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  let_go();
  waiting.get();
  EXPECT_EQ(text_, "f");
}

TEST_F(EffectQueueTest, TheNextFunctionIsTold) {
  constexpr std::chrono::milliseconds no_time(0);
  effects_.add(5, writing('a'));
  EXPECT_EQ(effects_.next_function_ns(), std::nullopt);
  EXPECT_FALSE(effects_.wait_for_function(no_time));
  effects_.add(30, writing('c'), EffectKind::function);
  effects_.add(20, writing('b'), EffectKind::function);
  EXPECT_EQ(effects_.next_function_ns(), 20);
  EXPECT_TRUE(effects_.wait_for_function(no_time));
  effects_.settle(30);
  EXPECT_EQ(text_, "abc");
  EXPECT_FALSE(effects_.wait_for_function(no_time));
}

TEST_F(EffectQueueTest, AFunctionIsLeftToItsThread) {
  std::thread::id ran_in;
  std::thread other;
  std::promise<void> may_begin;
  other = std::thread([&] {
    may_begin.get_future().wait();
    while (!effects_.wait_for_wanted_function(std::chrono::milliseconds(100))) {
    }
    effects_.settle(10);
  });
  const std::thread::id of_functions = other.get_id();
  effects_.give_functions_to(of_functions);
  effects_.add(
      10,
      [&] {
        ran_in = std::this_thread::get_id();
        text_ += 'f';
      },
      EffectKind::function);
  effects_.add(20, writing('b'));
  effects_.settle_if_free(20);
  EXPECT_EQ(text_, "");
  may_begin.set_value();
  effects_.settle(20);
  other.join();
  EXPECT_EQ(text_, "fb");
  EXPECT_EQ(ran_in, of_functions);
}

TEST_F(EffectQueueTest, AFunctionWithinAnEffectRunsWhereThatDoes) {
  std::thread other([] {});
  effects_.give_functions_to(other.get_id());  // it runs none
  effects_.add(10, [this] {
    text_ += 'a';
    effects_.settle(20);
    text_ += 'c';
  });
  effects_.add(20, writing('f'), EffectKind::function);
  effects_.settle(10);
  other.join();
  EXPECT_EQ(text_, "afc");
}

TEST_F(EffectQueueTest, AFunctionMaySettleWhatComesLater) {
  effects_.add(
      10,
      [this] {
        text_ += 'f';
        effects_.settle(20);
      },
      EffectKind::function);
  effects_.add(20, writing('b'));
  effects_.settle(10);
  EXPECT_EQ(text_, "fb");
}

}  // namespace
}  // namespace stepgate::emulator
