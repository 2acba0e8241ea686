#include "emulator/nccl/nccl_collectives.h"

#include <gtest/gtest.h>

#include "emulator/nccl/nccl_groups.h"
#include "emulator/nccl/nccl_ranks.h"

namespace stepgate::emulator {
namespace {

using Numbers = std::vector<float>;

constexpr int three = 3;

/// What each of three ranks has, so that no two numbers are equal.
Numbers numbers_of(int rank, std::size_t count) {
  Numbers numbers(count);
  for (std::size_t index = 0; index < count; ++index)
    numbers[index] = static_cast<float>(100 * rank + static_cast<int>(index));
  return numbers;
}

void run(NcclMeeting& meeting, const NcclCollective& call) {
  ASSERT_EQ(run_collective(meeting, call, 0, true).end, NcclEnd::ok);
}

struct ReadAndWritten {
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;

  bool operator==(const ReadAndWritten&) const = default;
};

/// Of 10 floats.
ReadAndWritten accessed_by(NcclKind kind, int rank) {
  ReadAndWritten found;
  for (const MemoryAccess& access : accesses_of({.kind = kind, .count = 10, .root = 1}, rank, three)) {
    (access.writes ? found.written_bytes : found.read_bytes) += access.bytes;
  }
  return found;
}

TEST(NcclCollectives, TellWhatARankReadsAndWrites) {
  EXPECT_EQ(accessed_by(NcclKind::all_reduce, 0), (ReadAndWritten{40, 40}));
  EXPECT_EQ(accessed_by(NcclKind::broadcast, 0), (ReadAndWritten{0, 40}));
  EXPECT_EQ(accessed_by(NcclKind::broadcast, 1), (ReadAndWritten{40, 40}));
  EXPECT_EQ(accessed_by(NcclKind::reduce, 0), (ReadAndWritten{40, 0}));
  EXPECT_EQ(accessed_by(NcclKind::reduce, 1), (ReadAndWritten{40, 40}));
  EXPECT_EQ(accessed_by(NcclKind::all_gather, 0), (ReadAndWritten{40, 120}));
  EXPECT_EQ(accessed_by(NcclKind::reduce_scatter, 0), (ReadAndWritten{120, 40}));
  EXPECT_EQ(accessed_by(NcclKind::all_to_all, 0), (ReadAndWritten{120, 120}));
}

TEST(NcclCollectives, AMessageReadsOrWrites) {
  std::byte bytes[4] = {};
  const MemoryAccesses accesses =
      accesses_of({{.is_send = true, .address = bytes, .bytes = 4}, {.is_send = false, .address = bytes, .bytes = 2}});
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_FALSE(accesses[0].writes);
  EXPECT_TRUE(accesses[1].writes);
  EXPECT_EQ(accesses[1].bytes, 2U);
}

TEST(NcclCollectives, AllReduceInPlace) {
  with_ranks(three, [](NcclMeeting& meeting) {
    Numbers own = numbers_of(meeting.rank(), 2);
    run(meeting, {.kind = NcclKind::all_reduce, .from = own.data(), .to = own.data(), .count = 2});
    EXPECT_EQ(own, (Numbers{300, 303}));
  });
}

TEST(NcclCollectives, LongOnesPassInPieces) {
  constexpr std::size_t count = nccl_piece_bytes / sizeof(float) + 3;
  with_ranks(2, [](NcclMeeting& meeting) {
    Numbers own(count, 1);
    own.back() = static_cast<float>(meeting.rank() + 5);
    run(meeting, {.kind = NcclKind::all_reduce, .from = own.data(), .to = own.data(), .count = count});
    EXPECT_EQ(own.front(), 2);
    EXPECT_EQ(own[count - 2], 2);
    EXPECT_EQ(own.back(), 11);
  });
}

TEST(NcclCollectives, OnlyTheRootHasTheResultOfAReduce) {
  with_ranks(three, [](NcclMeeting& meeting) {
    const Numbers own = numbers_of(meeting.rank(), 2);
    Numbers got = {-1, -1};
    run(meeting, {.kind = NcclKind::reduce, .from = own.data(), .to = got.data(), .count = 2, .root = 1});
    EXPECT_EQ(got, meeting.rank() == 1 ? (Numbers{300, 303}) : (Numbers{-1, -1}));
  });
}

TEST(NcclCollectives, BroadcastIsTheRoots) {
  with_ranks(three, [](NcclMeeting& meeting) {
    Numbers own = numbers_of(meeting.rank(), 2);
    run(meeting, {.kind = NcclKind::broadcast, .from = own.data(), .to = own.data(), .count = 2, .root = 2});
    EXPECT_EQ(own, (Numbers{200, 201}));
  });
}

TEST(NcclCollectives, AllGatherKeepsTheOrderOfTheRanks) {
  with_ranks(three, [](NcclMeeting& meeting) {
    const Numbers own = numbers_of(meeting.rank(), 2);
    Numbers got(6);
    run(meeting, {.kind = NcclKind::all_gather, .from = own.data(), .to = got.data(), .count = 2});
    EXPECT_EQ(got, (Numbers{0, 1, 100, 101, 200, 201}));
  });
}

TEST(NcclCollectives, ReduceScatterGivesEachItsBlock) {
  with_ranks(three, [](NcclMeeting& meeting) {
    const Numbers own = numbers_of(meeting.rank(), 6);
    Numbers got(2);
    run(meeting, {.kind = NcclKind::reduce_scatter, .from = own.data(), .to = got.data(), .count = 2});
    const auto first = static_cast<float>(300 + 6 * meeting.rank());
    EXPECT_EQ(got, (Numbers{first, first + 3}));
  });
}

TEST(NcclCollectives, BlocksMayBeginWithinAPiece) {
  constexpr std::size_t count = nccl_piece_bytes / sizeof(float) - 5;
  with_ranks(2, [](NcclMeeting& meeting) {
    Numbers own(2 * count, 1);
    own[count] = 10;
    own[2 * count - 1] = 20;
    Numbers got(count);
    run(meeting, {.kind = NcclKind::reduce_scatter, .from = own.data(), .to = got.data(), .count = count});
    EXPECT_EQ(got.front(), meeting.rank() == 0 ? 2 : 20);
    EXPECT_EQ(got[1], 2);
    EXPECT_EQ(got.back(), meeting.rank() == 0 ? 2 : 40);
  });
}

TEST(NcclCollectives, AllToAllTransposes) {
  with_ranks(three, [](NcclMeeting& meeting) {
    const Numbers own = numbers_of(meeting.rank(), 3);
    Numbers got(3);
    run(meeting, {.kind = NcclKind::all_to_all, .from = own.data(), .to = got.data(), .count = 1});
    const auto block = static_cast<float>(meeting.rank());
    EXPECT_EQ(got, (Numbers{block, 100 + block, 200 + block}));
  });
}

TEST(NcclCollectives, EachRankHasItsOwnFactor) {
  with_ranks(2, [](NcclMeeting& meeting) {
    const Numbers own = {1, 2};
    Numbers got(2);
    const float factor = meeting.rank() == 0 ? 2 : 10;
    run(meeting, {.from = own.data(),
                  .to = got.data(),
                  .count = 2,
                  .reduction = {NcclReductionKind::premultiplied_sum, NcclElement::float32},
                  .factor = &factor});
    EXPECT_EQ(got, (Numbers{12, 24}));
  });
}

TEST(NcclCollectives, WhatDoesNotMoveStillMeets) {
  with_ranks(2, [](NcclMeeting& meeting) {
    Numbers own = {1};
    const NcclCollective call{.from = own.data(), .to = own.data(), .count = 1};
    EXPECT_EQ(run_collective(meeting, call, meeting.rank(), false).begin_ns, 1);
    EXPECT_EQ(own, Numbers{1});
  });
}

TEST(NcclCollectives, AnotherCountIsFound) {
  with_ranks(2, [](NcclMeeting& meeting) {
    Numbers own = {1, 2};
    const auto count = static_cast<std::uint64_t>(1 + meeting.rank());
    const NcclCollective call{.from = own.data(), .to = own.data(), .count = count};
    EXPECT_EQ(run_collective(meeting, call, 0, true).end, NcclEnd::mismatch);
  });
}

TEST(NcclCollectives, NamesAndBytes) {
  const NcclCollective sum{.kind = NcclKind::all_reduce, .count = 5};
  EXPECT_EQ(kernel_name(sum), "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  EXPECT_EQ(bytes_of(sum, 4), 20U);
  const NcclCollective gather{.kind = NcclKind::all_gather, .count = 5};
  EXPECT_EQ(kernel_name(gather), "ncclDevKernel_AllGather_RING_LL");
  EXPECT_EQ(bytes_of(gather, 4), 80U);
}

class NcclGroups : public testing::Test {
 protected:
  static std::shared_ptr<NcclCommunicator> alone(const std::string& name = new_nccl_name()) {
    std::string error;
    return std::make_shared<NcclCommunicator>(NcclMeeting::join({name}, error), 0);
  }
  static NcclWork message(const std::shared_ptr<NcclCommunicator>& communicator, StreamHandle stream) {
    return {communicator, stream, std::vector<NcclTransfer>{{}}};
  }
  NcclGroup group_;
};

TEST_F(NcclGroups, OnlyTheOutermostEndHasWork) {
  EXPECT_FALSE(group_.end().has_value());
  group_.start();
  group_.start();
  const auto communicator = alone();
  group_.add({communicator, 0, NcclCollective{}});
  EXPECT_EQ(group_.end()->size(), 0U);
  EXPECT_TRUE(group_.is_open());
  EXPECT_EQ(group_.end()->size(), 1U);
  EXPECT_FALSE(group_.is_open());
}

TEST_F(NcclGroups, MessagesOfOneStreamGoTogether) {
  const auto communicator = alone();
  group_.start();
  group_.add(message(communicator, 0));
  group_.add({communicator, 0, NcclCollective{}});
  group_.add(message(communicator, 0));
  group_.add(message(communicator, 256));
  const auto all = group_.end();
  ASSERT_EQ(all->size(), 3U);
  EXPECT_EQ(std::get<std::vector<NcclTransfer>>(all->front().work).size(), 2U);
}

TEST_F(NcclGroups, TwoRanksOfOneCommunicatorAreFound) {
  const std::string name = new_nccl_name();
  const auto one = alone(name);
  const auto two = alone(name);
  EXPECT_FALSE(is_of_two_ranks({message(one, 0), message(one, 256), message(alone(), 0)}));
  EXPECT_TRUE(is_of_two_ranks({message(one, 0), message(two, 0)}));
}

TEST(NcclCommunicators, HandlesAreUsedOnce) {
  std::string error;
  const auto made = std::make_shared<NcclCommunicator>(NcclMeeting::join({new_nccl_name()}, error), 1);
  const std::uint64_t handle = add_communicator(made);
  EXPECT_EQ(communicator_of(handle), made);
  EXPECT_EQ(communicator_of(handle + 1), nullptr);
  EXPECT_TRUE(remove_communicator(handle));
  EXPECT_FALSE(remove_communicator(handle));
  EXPECT_NE(add_communicator(made), handle);
}

TEST(NcclCommunicators, TheFirstErrorStays) {
  std::string error;
  NcclCommunicator communicator(NcclMeeting::join({new_nccl_name()}, error), 0);
  communicator.note({.end = NcclEnd::ok});
  EXPECT_EQ(communicator.text(), "");
  communicator.note({.end = NcclEnd::rank_lost, .lost_rank = 4});
  communicator.note({.end = NcclEnd::aborted});
  EXPECT_EQ(communicator.state(), NcclEnd::rank_lost);
  EXPECT_EQ(communicator.text(), "rank 4 was killed, has aborted or has left");
}

}  // namespace
}  // namespace stepgate::emulator
