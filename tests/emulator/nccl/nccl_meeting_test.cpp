#include "emulator/nccl/nccl_meeting.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <numeric>
#include <thread>

#include "emulator/nccl/nccl_ranks.h"

namespace stepgate::emulator {
namespace {

std::byte* bytes_at(std::vector<int>& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); }

/// A child that meets this process as rank 1 of 2, runs `rank` and ends with what it returns.
pid_t other_process(const std::string& name, int (*rank)(NcclMeeting&)) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  std::string error;
  const auto meeting = NcclMeeting::join({name, 2, 1, nccl_test_patience_ms}, error);
  ::_exit(meeting == nullptr ? 99 : rank(*meeting));
}

int exit_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(NcclMeetings, AllLearnWhenTheLastOneCouldBegin) {
  with_ranks(3, [](NcclMeeting& meeting) {
    for (std::int64_t round = 0; round < 20; ++round) {
      const NcclMet met = meeting.exchange({.begin_ns = 1000 * round + 10 * meeting.rank()});
      ASSERT_EQ(met.end, NcclEnd::ok);
      ASSERT_EQ(met.begin_ns, 1000 * round + 20);
    }
  });
}

TEST(NcclMeetings, PiecesPassInTheirOrder) {
  constexpr std::uint64_t bytes = 2 * nccl_piece_bytes + 100;
  with_ranks(2, [](NcclMeeting& meeting) {
    std::vector<char> own(bytes, static_cast<char>('a' + meeting.rank()));
    own.back() = static_cast<char>('y' + meeting.rank());
    std::string seen[2];
    NcclExchange exchange{.bytes = bytes, .from = own.data()};
    exchange.take = [&](std::uint64_t offset, std::uint64_t size, const std::vector<const std::byte*>& of_rank) {
      ASSERT_EQ(offset, seen[0].size());
      for (int rank = 0; rank < 2; ++rank) seen[rank].append(reinterpret_cast<const char*>(of_rank[rank]), size);
    };
    ASSERT_EQ(meeting.exchange(exchange).end, NcclEnd::ok);
    EXPECT_EQ(seen[0], std::string(bytes - 1, 'a') + 'y');
    EXPECT_EQ(seen[1], std::string(bytes - 1, 'b') + 'z');
  });
}

TEST(NcclMeetings, DifferentCallsAreFound) {
  with_ranks(2, [](NcclMeeting& meeting) {
    const auto signature = static_cast<std::uint64_t>(meeting.rank());
    EXPECT_EQ(meeting.exchange({.signature = signature}).end, NcclEnd::mismatch);
  });
}

TEST(NcclMeetings, MessagesOfAGroupGoSideBySide) {
  constexpr std::size_t numbers = 600'000;  // more than one letter
  with_ranks(3, [](NcclMeeting& meeting) {
    std::vector<std::vector<int>> own(3, std::vector<int>(numbers, 100 * meeting.rank()));
    std::vector<std::vector<int>> got(3, std::vector<int>(numbers));
    std::vector<NcclTransfer> transfers;
    for (int peer = 0; peer < 3; ++peer) {
      own[peer].back() = 100 * meeting.rank() + peer;
      transfers.push_back({true, peer, bytes_at(own[peer]), numbers * sizeof(int)});
      transfers.push_back({false, peer, bytes_at(got[peer]), numbers * sizeof(int)});
    }
    const NcclMet met = meeting.transfer(transfers, meeting.rank());
    ASSERT_EQ(met.end, NcclEnd::ok);
    EXPECT_EQ(met.begin_ns, 2);
    for (int peer = 0; peer < 3; ++peer) {
      EXPECT_EQ(got[peer].front(), 100 * peer);
      EXPECT_EQ(got[peer].back(), 100 * peer + meeting.rank());
    }
  });
}

TEST(NcclMeetings, MessagesOfOneWayKeepTheirOrder) {
  with_ranks(2, [](NcclMeeting& meeting) {
    std::vector<int> first = {1};
    std::vector<int> second = {2};
    const bool sends = meeting.rank() == 0;
    if (!sends) first = second = {0};
    const int peer = 1 - meeting.rank();
    ASSERT_EQ(meeting.transfer({{sends, peer, bytes_at(first), 4}, {sends, peer, bytes_at(second), 4}}, 0).end,
              NcclEnd::ok);
    EXPECT_EQ(first.front(), 1);
    EXPECT_EQ(second.front(), 2);
  });
}

TEST(NcclMeetings, AMessageOfAnotherLengthIsFound) {
  std::atomic<int> mismatches = 0;
  with_ranks(2, [&mismatches](NcclMeeting& meeting) {
    std::vector<int> numbers(2);
    const bool sends = meeting.rank() == 0;
    const NcclMet met = meeting.transfer({{sends, 1 - meeting.rank(), bytes_at(numbers), sends ? 8U : 4U}}, 0);
    EXPECT_NE(met.end, NcclEnd::ok);
    mismatches += met.end == NcclEnd::mismatch ? 1 : 0;
  });
  EXPECT_EQ(mismatches, 1) << "the receiver sees it, and the sender that the receiver has left";
}

TEST(NcclMeetings, ARankThatLeavesEndsTheOthers) {
  with_ranks(3, [](NcclMeeting& meeting) {
    if (meeting.rank() == 2) return;  // leaves when its meeting goes away
    const NcclMet met = meeting.exchange({});
    EXPECT_EQ(met.end, NcclEnd::rank_lost);
  });
}

TEST(NcclMeetings, WhatItLeftIsStillGot) {
  for (int repetition = 0; repetition < 50; ++repetition) {
    with_ranks(2, [](NcclMeeting& meeting) { EXPECT_EQ(meeting.exchange({}).end, NcclEnd::ok); });
  }
}

TEST(NcclMeetings, AnAbortEndsAWaitOfItsOwnRank) {
  with_ranks(2, [](NcclMeeting& meeting) {
    if (meeting.rank() == 1) {
      EXPECT_EQ(meeting.exchange({.signature = 1}).end, NcclEnd::rank_lost);
      return;
    }
    std::vector<int> number = {0};
    std::thread watchdog([&meeting] { meeting.leave(); });
    EXPECT_EQ(meeting.transfer({{false, 0, bytes_at(number), 4}}, 0).end, NcclEnd::aborted);
    watchdog.join();
  });
}

/// Ranks with little patience in a call, and one that does not come to it for long.
void with_a_late_rank(const std::function<NcclMet(NcclMeeting&)>& call) {
  const std::string name = new_nccl_name();
  std::atomic<bool> is_over = false;
  const auto rank = [&](int number) {
    NcclPlace place{name, 2, number, nccl_test_patience_ms};
    place.call_patience_ms = 100;
    std::string error;
    const auto meeting = NcclMeeting::join(place, error);
    ASSERT_NE(meeting, nullptr) << error;
    if (number == 1) {
      for (int tries = 0; !is_over && tries < 1000; ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_EQ(call(*meeting).end, NcclEnd::rank_lost) << "the other one has left";
      return;
    }
    EXPECT_EQ(call(*meeting).end, NcclEnd::rank_late);
    is_over = true;
    EXPECT_EQ(call(*meeting).end, NcclEnd::aborted) << "it comes to no further call";
  };
  std::thread late([&] { rank(1); });
  rank(0);
  is_over = true;
  late.join();
}

TEST(NcclMeetings, ACollectiveIsNotWaitedForLongerThanThePatience) {
  with_a_late_rank([](NcclMeeting& meeting) { return meeting.exchange({}); });
}

TEST(NcclMeetings, AMessageIsNotWaitedForLongerThanThePatience) {
  with_a_late_rank([](NcclMeeting& meeting) {
    std::vector<int> number = {0};
    return meeting.transfer({{false, 1 - meeting.rank(), bytes_at(number), sizeof(int)}}, 0);
  });
}

TEST(NcclMeetings, ProcessesMeet) {
  const std::string name = new_nccl_name();
  const pid_t child = other_process(name, [](NcclMeeting& meeting) {
    int own = 40;
    return meeting.transfer({{true, 0, reinterpret_cast<std::byte*>(&own), sizeof(own)}}, 7).end == NcclEnd::ok ? 3 : 4;
  });
  std::string error;
  const auto meeting = NcclMeeting::join({name, 2, 0, nccl_test_patience_ms}, error);
  ASSERT_NE(meeting, nullptr) << error;
  std::vector<int> got = {0};
  const NcclMet met = meeting->transfer({{false, 1, bytes_at(got), sizeof(int)}}, 5);
  EXPECT_EQ(met.end, NcclEnd::ok);
  EXPECT_EQ(met.begin_ns, 7);
  EXPECT_EQ(got.front(), 40);
  EXPECT_EQ(exit_of(child), 3);
}

std::int64_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

/// A measured step counts the open descriptors of its process.
TEST(NcclMeetings, ALongSleepOpensNoDescriptor) {
  const std::string name = new_nccl_name();
  const pid_t child = other_process(name, [](NcclMeeting& meeting) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // some of the looks of the other
    return meeting.exchange({}).end == NcclEnd::ok ? 0 : 1;
  });
  std::string error;
  const auto meeting = NcclMeeting::join({name, 2, 0, nccl_test_patience_ms}, error);
  ASSERT_NE(meeting, nullptr) << error;
  const std::int64_t before = open_descriptors();
  EXPECT_EQ(meeting->exchange({}).end, NcclEnd::ok);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(exit_of(child), 0);
}

TEST(NcclMeetings, AKilledProcessEndsTheWaitOfTheOther) {
  const std::string name = new_nccl_name();
  const pid_t child = other_process(name, [](NcclMeeting&) -> int {
    while (true) ::pause();
  });
  std::string error;
  const auto meeting = NcclMeeting::join({name, 2, 0, nccl_test_patience_ms}, error);
  ASSERT_NE(meeting, nullptr) << error;
  std::thread killer([child] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(child, SIGKILL);
  });
  const NcclMet met = meeting->exchange({});
  killer.join();
  EXPECT_EQ(met.end, NcclEnd::rank_lost);
  EXPECT_EQ(met.lost_rank, 1);
  EXPECT_EQ(exit_of(child), -SIGKILL);
}

TEST(NcclRendezvous, ARankAloneMeetsItself) {
  std::string error;
  const auto meeting = NcclMeeting::join({new_nccl_name()}, error);
  ASSERT_NE(meeting, nullptr) << error;
  EXPECT_EQ(meeting->exchange({.begin_ns = 3}).begin_ns, 3);
}

TEST(NcclRendezvous, DoesNotWaitForEver) {
  std::string error;
  EXPECT_EQ(NcclMeeting::join({new_nccl_name(), 2, 0, 20}, error), nullptr);
  EXPECT_EQ(error, "not all ranks came in time");
  EXPECT_EQ(NcclMeeting::join({new_nccl_name(), 2, 1, 20}, error), nullptr);
  EXPECT_EQ(error, "rank 0 did not come in time");
  EXPECT_EQ(NcclMeeting::join({new_nccl_name(), 2, 2, 20}, error), nullptr);
}

TEST(NcclRendezvous, NamesDifferAndTellTheirMaker) {
  EXPECT_NE(new_nccl_name(), new_nccl_name());
  EXPECT_EQ(maker_of_nccl_name(new_nccl_name()), ::getpid());
  EXPECT_EQ(maker_of_nccl_name(new_nccl_name() + "/s1:2"), ::getpid());
  EXPECT_EQ(maker_of_nccl_name("another name"), 0);
}

/// A process that has ended, and that nobody has waited for.
pid_t ended_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  return child;
}

TEST(NcclRendezvous, ARankThatEndedBeforeItCameEndsTheOthers) {
  const std::string name = new_nccl_name();
  const pid_t lost = ended_process();
  const auto begin = std::chrono::steady_clock::now();
  std::string came_error;
  std::thread came([&] { EXPECT_EQ(NcclMeeting::join({name, 3, 1, nccl_test_patience_ms}, came_error), nullptr); });
  std::string error;
  EXPECT_EQ(NcclMeeting::join({name, 3, 0, nccl_test_patience_ms}, error), nullptr);
  came.join();
  EXPECT_EQ(error, "a rank ended before it came");
  EXPECT_EQ(came_error, "a rank has gone");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  exit_of(lost);
}

TEST(NcclRendezvous, AKnownRankThatEndedBeforeItCameEndsTheOthers) {
  const pid_t lost = ended_process();
  std::string error;
  NcclPlace first{new_nccl_name(), 2, 0, nccl_test_patience_ms};
  first.pids = {::getpid(), lost};
  EXPECT_EQ(NcclMeeting::join(first, error), nullptr);
  EXPECT_EQ(error, "rank 1 ended before all had come");
  NcclPlace second{new_nccl_name(), 2, 1, nccl_test_patience_ms};
  second.pids = {lost};
  EXPECT_EQ(NcclMeeting::join(second, error), nullptr);
  EXPECT_EQ(error, "rank 0 ended before it came");
  exit_of(lost);
}

}  // namespace
}  // namespace stepgate::emulator
