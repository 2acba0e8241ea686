#include "emulator/cupti/cupti_record_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>

namespace stepgate::emulator {
namespace {

constexpr std::int64_t much_later_ns = 1'000'000;

/// A reader whose buffers hold 32 bytes. A record is text of 5 bytes, which takes 8.
class CuptiRecordStoreTest : public testing::Test {
 protected:
  static constexpr std::size_t buffer_bytes = 32;

  CuptiRecordStoreTest() { store_.set_callbacks(callbacks()); }

  BufferCallbacks callbacks() {
    return {[this] { return give(); },
            [this](const RecordBuffer& buffer, std::size_t valid_bytes) { take(buffer, valid_bytes); }};
  }

  void add(std::string_view text, std::int64_t end_ns = 0) { store_.add(std::as_bytes(std::span(text)), end_ns); }

  RecordBuffer give() {
    if (refuses_) return {};
    memory_.push_back(std::make_unique<std::array<std::uint8_t, buffer_bytes>>());
    memory_.back()->fill(0xff);
    return {memory_.back()->data(), buffer_bytes, most_records_};
  }

  void take(const RecordBuffer& buffer, std::size_t valid_bytes) {
    std::string text;
    for (std::size_t at = 0; at < valid_bytes; ++at) {
      text += buffer.data[at] == 0 ? '.' : static_cast<char>(buffer.data[at]);
    }
    taken_.push_back(text);
    dropped_ += store_.take_dropped();  // as a reader does while it takes a buffer
  }

  RecordStore store_;
  std::vector<std::unique_ptr<std::array<std::uint8_t, buffer_bytes>>> memory_;
  std::vector<std::string> taken_;
  std::size_t dropped_ = 0;
  std::size_t most_records_ = 0;
  bool refuses_ = false;
};

TEST_F(CuptiRecordStoreTest, WritesRecordsAtMultiplesOfEightBytes) {
  add("first");
  add("other");
  store_.flush(much_later_ns, false);
  EXPECT_THAT(taken_, testing::ElementsAre("first...other..."));
}

TEST_F(CuptiRecordStoreTest, AsksForNoBufferWithoutARecord) {
  store_.flush(much_later_ns, false);
  EXPECT_TRUE(memory_.empty());
  EXPECT_TRUE(taken_.empty());
}

/// A reader that was not asked for a buffer may take it that nothing was recorded, and flush nothing.
TEST_F(CuptiRecordStoreTest, AsksForABufferAsSoonAsThereIsARecord) {
  store_.deliver_if_many(much_later_ns);
  EXPECT_TRUE(memory_.empty());
  add("first");
  store_.deliver_if_many(much_later_ns);
  EXPECT_EQ(memory_.size(), 1U);
  EXPECT_TRUE(taken_.empty());
  store_.deliver_if_many(much_later_ns);
  EXPECT_EQ(memory_.size(), 1U) << "one is enough";
  store_.flush(much_later_ns, false);
  EXPECT_THAT(taken_, testing::ElementsAre("first..."));
}

TEST_F(CuptiRecordStoreTest, HandsAFullBufferOverAndAsksForAnother) {
  for (const char* text : {"aaaaa", "bbbbb", "ccccc", "ddddd", "eeeee"}) add(text);
  store_.flush(much_later_ns, false);
  EXPECT_THAT(taken_, testing::ElementsAre("aaaaa...bbbbb...ccccc...ddddd...", "eeeee..."));
}

TEST_F(CuptiRecordStoreTest, HeedsTheMostRecordsOfABuffer) {
  most_records_ = 1;
  add("first");
  add("other");
  store_.flush(much_later_ns, false);
  EXPECT_THAT(taken_, testing::ElementsAre("first...", "other..."));
}

TEST_F(CuptiRecordStoreTest, KeepsRecordsOfWorkThatStillRuns) {
  add("later", 200);
  add("first", 100);
  store_.flush(150, false);
  EXPECT_THAT(taken_, testing::ElementsAre("first..."));
  EXPECT_EQ(store_.held(), 1U);
  store_.flush(200, false);
  EXPECT_THAT(taken_, testing::ElementsAre("first...", "later..."));
}

TEST_F(CuptiRecordStoreTest, AForcedFlushHandsAllOver) {
  add("later", 200);
  store_.flush(0, true);
  EXPECT_THAT(taken_, testing::ElementsAre("later..."));
}

TEST_F(CuptiRecordStoreTest, CountsRecordsWithoutABuffer) {
  refuses_ = true;
  add("first");
  add("other");
  store_.flush(much_later_ns, false);
  EXPECT_EQ(store_.take_dropped(), 2U);
  EXPECT_EQ(store_.take_dropped(), 0U);
}

TEST_F(CuptiRecordStoreTest, CountsARecordThatIsLargerThanABuffer) {
  add(std::string(buffer_bytes + 1, 'x'));
  add("other");
  store_.flush(much_later_ns, false);
  EXPECT_EQ(dropped_ + store_.take_dropped(), 1U);
  EXPECT_EQ(taken_.back(), "other...");
}

TEST_F(CuptiRecordStoreTest, DeliversWithoutAFlushOnceThereAreMany) {
  add("first");
  store_.deliver_if_many(much_later_ns);
  EXPECT_TRUE(taken_.empty());
  for (int more = 0; more < 5000; ++more) add("other");
  store_.deliver_if_many(much_later_ns);
  EXPECT_EQ(store_.held(), 0U);
  EXPECT_GT(taken_.size(), 1000U);
}

TEST_F(CuptiRecordStoreTest, GivesABufferBackToWhomItCameFrom) {
  for (int more = 0; more < 5001; ++more) add("other");
  store_.deliver_if_many(much_later_ns);
  const std::size_t before = taken_.size();
  store_.set_callbacks({});
  EXPECT_EQ(taken_.size(), before + 1);
  EXPECT_FALSE(store_.has_callbacks());
}

TEST_F(CuptiRecordStoreTest, HoldsNoLockWhileTheReaderRuns) {
  bool went_on = false;
  std::atomic<bool> is_first = true;
  std::future<void> other;
  BufferCallbacks waiting = callbacks();
  waiting.complete = [&](const RecordBuffer& buffer, std::size_t valid_bytes) {
    take(buffer, valid_bytes);
    if (!is_first.exchange(false)) return;
    for (int more = 0; more < 5000; ++more) add("other");
    other = std::async(std::launch::async, [this] {
      store_.deliver_if_many(much_later_ns);
      static_cast<void>(store_.has_callbacks());
    });
    went_on = other.wait_for(std::chrono::seconds(10)) == std::future_status::ready;
  };
  store_.set_callbacks(waiting);
  add("first");
  store_.flush(much_later_ns, false);
  EXPECT_TRUE(went_on) << "a thread waited for the reader";
  EXPECT_EQ(store_.held(), 0U);
  std::size_t records = 0;
  for (const std::string& text : taken_) records += text.size() / 8;
  EXPECT_EQ(records, 5001U) << "the flush hands over what the other thread has written, too";
}

TEST_F(CuptiRecordStoreTest, AReaderMaySetAnotherWhileItRuns) {
  BufferCallbacks leaving = callbacks();
  leaving.complete = [this](const RecordBuffer& buffer, std::size_t valid_bytes) {
    take(buffer, valid_bytes);
    store_.set_callbacks({});
  };
  store_.set_callbacks(leaving);
  add("first");
  store_.flush(much_later_ns, false);
  EXPECT_THAT(taken_, testing::ElementsAre("first..."));
  EXPECT_FALSE(store_.has_callbacks());
}

}  // namespace
}  // namespace stepgate::emulator
