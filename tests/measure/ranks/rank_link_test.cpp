#include "measure/ranks/rank_link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "core/error.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

/// Both ends of a wire, closed with the test.
class Wire {
 public:
  Wire() { socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_.data()); }
  ~Wire() {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  int hub() const { return ends_[0]; }
  int far() const { return ends_[1]; }
  void cut_far_end() { close(std::exchange(ends_[1], -1)); }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// The agreement of three ranks.
std::array<bool, 3> agreed(std::array<bool, 3> said) {
  const Wire first;
  const Wire second;
  std::array<bool, 3> heard{};
  std::thread one([&] { heard[1] = RankLink(1, {first.far()}).agree(said[1]); });
  std::thread two([&] { heard[2] = RankLink(2, {second.far()}).agree(said[2]); });
  heard[0] = RankLink(0, {first.hub(), second.hub()}).agree(said[0]);
  one.join();
  two.join();
  return heard;
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(RankLink, AgreesOnlyWhereAllDo) {
  using Answers = std::array<bool, 3>;
  EXPECT_EQ(agreed({true, true, true}), (Answers{true, true, true}));
  EXPECT_EQ(agreed({false, true, true}), (Answers{false, false, false}));
  EXPECT_EQ(agreed({true, true, false}), (Answers{false, false, false}));
}

TEST(RankLink, AgreesAgainAndAgain) {
  const Wire wire;
  std::vector<bool> heard;
  std::thread other([&] {
    RankLink link(1, {wire.far()});
    for (int i = 0; i < 100; ++i) link.agree(i % 3 == 0);
  });
  RankLink link(0, {wire.hub()});
  for (int i = 0; i < 100; ++i) heard.push_back(link.agree(i % 2 == 0));
  other.join();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(heard[static_cast<std::size_t>(i)], i % 6 == 0) << i;
}

TEST(RankLink, NamesTheRankThatEnded) {
  Wire wire;
  wire.cut_far_end();
  RankLink hub(0, {wire.hub()});
  EXPECT_EQ(message([&] { hub.agree(true); }), "rank 1 ended while rank 0 waited for it");
  RankLink far(3, {wire.hub()});
  EXPECT_EQ(message([&] { far.agree(true); }), "rank 0 ended while rank 3 spoke to it");
}

TEST(RankLink, NamesTheRankThatDoesNotAnswer) {
  const Wire first;
  const Wire second;
  RankLink hub(0, {first.hub(), second.hub()}, 50ms);
  std::thread other([&] {
    EXPECT_THAT(message([&] { RankLink(1, {first.far()}, 20ms).agree(true); }), HasSubstr("rank 0 said nothing"));
  });
  EXPECT_EQ(message([&] { hub.agree(true); }), "rank 2 said nothing for 0.05 s, and rank 0 waits for it");
  other.join();
}

}  // namespace
}  // namespace stepgate
