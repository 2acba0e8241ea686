#include "judge/history/commit_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;

/// What a session says of the place of its commit. Sessions are measured an hour apart, in the order given.
struct Placed {
  std::string commit;
  std::optional<std::int64_t> number = {};
  std::optional<std::int64_t> sequence = {};
  std::vector<std::string> parents = {};
  std::optional<std::int64_t> first_parent_number = {};
};

std::vector<HistorySession> placed_sessions(const std::vector<Placed>& placed) {
  std::vector<HistorySession> sessions;
  std::int64_t now_s = 1'700'000'000;
  for (const Placed& one : placed) {
    now_s += 3600;
    sessions.push_back({.runner_class = "box",
                        .utc = "",
                        .unix_s = now_s,
                        .commit = one.commit,
                        .commit_number = one.number,
                        .first_parent_number = one.first_parent_number ? one.first_parent_number : one.number,
                        .parents = one.parents,
                        .sequence = one.sequence,
                        .run = std::to_string(now_s)});
  }
  return sessions;
}

std::vector<std::string> order_of(const std::vector<HistorySession>& sessions) {
  std::vector<std::string> commits;
  const CommitOrder order(sessions);
  for (const std::size_t i : order.sessions()) commits.push_back(sessions[i].commit);
  return commits;
}

/// Whether each commit is known to be after the one before it.
std::vector<bool> clear_order(const std::vector<HistorySession>& sessions) {
  const CommitOrder order(sessions);
  std::vector<bool> clear;
  for (std::size_t place = 1; place < sessions.size(); ++place) clear.push_back(order.is_clear(place - 1, place));
  return clear;
}

TEST(CommitOrder, ABackfilledCommitStandsAtItsPlace) {
  const auto sessions = placed_sessions({{"a", 10}, {"c", 12}, {"b", 11}});
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "b", "c"));
  EXPECT_THAT(clear_order(sessions), ElementsAre(true, true));
}

TEST(CommitOrder, AClockThatJumpsChangesNothing) {
  auto sessions = placed_sessions({{"a", 10}, {"b", 11}, {"c", 12}});
  sessions[1].unix_s = 0;
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "b", "c"));
}

TEST(CommitOrder, ACommitMeasuredAgainHasOnePlace) {
  const auto sessions = placed_sessions({{"a", 10}, {"b", 11}, {"a", 10}});
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "a", "b"));
  const CommitOrder order(sessions);
  EXPECT_EQ(order.place_of(0), order.place_of(2));
  EXPECT_EQ(order.place_of(1), 1u);
}

TEST(CommitOrder, CommitsOfTwoLinesAreInNoKnownOrder) {
  // "x" was branched from "a"; its number is that of "b".
  EXPECT_THAT(clear_order(placed_sessions({{"a", 10}, {"b", 11}, {"x", 11}})), ElementsAre(true, false));
  // The parent of "y" is not "b", though its number is the next one.
  EXPECT_THAT(clear_order(placed_sessions({{"a", 10}, {"b", 11}, {"y", 12, {}, {"x"}}})), ElementsAre(true, false));
  EXPECT_THAT(clear_order(placed_sessions({{"a", 10}, {"b", 11}, {"c", 12, {}, {"b"}}})), ElementsAre(true, true));
  EXPECT_THAT(clear_order(placed_sessions({{"4be1c0f", 11}, {"c", 12, {}, {"4be1c0f5a5a5"}}})), ElementsAre(true));
  EXPECT_THAT(clear_order(placed_sessions({{"4be1", 11}, {"c", 12, {}, {"4be1c0f5a5a5"}}})), ElementsAre(false));
  // More ancestors, and a smaller number on its line: a branch that merged much.
  EXPECT_THAT(clear_order(placed_sessions({{"a", 10, {}, {}, 8}, {"z", 30, {}, {}, 7}})), ElementsAre(false));
}

TEST(CommitOrder, ARebasedLineStandsBesideTheOldOne) {
  const auto sessions = placed_sessions({{"a", 10}, {"b", 11}, {"c", 12}, {"b2", 11}, {"c2", 12}});
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "b", "b2", "c", "c2"));
  EXPECT_THAT(clear_order(sessions), ElementsAre(true, false, true, false));
}

TEST(CommitOrder, WithoutNumbersTheSequenceDecides) {
  const auto sessions = placed_sessions({{"c", {}, 7}, {"a", {}, 5}, {"b", {}, 6}, {"b2", {}, 6}});
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "b", "b2", "c"));
  EXPECT_THAT(clear_order(sessions), ElementsAre(true, false, true));
  EXPECT_EQ(CommitOrder(sessions).placed_by(0), PlaceBy::sequence);
}

TEST(CommitOrder, ASequencePlacesACommitOfAShallowCloneAmongNumbers) {
  const auto sessions = placed_sessions({{"a", 10, 100}, {"c", 12, 102}, {"b", {}, 101}});
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "b", "c"));
  EXPECT_THAT(clear_order(sessions), ElementsAre(true, true));
}

TEST(CommitOrder, AnUnknownCommitStandsWhereItWasMeasuredAndIsMarked) {
  const auto sessions = placed_sessions({{"a", 10}, {"x"}, {"b", 11}});
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "x", "b"));
  EXPECT_THAT(clear_order(sessions), ElementsAre(false, false));
  EXPECT_EQ(CommitOrder(sessions).placed_by(0), PlaceBy::ancestry);
  EXPECT_EQ(CommitOrder(sessions).placed_by(1), PlaceBy::measurement);
}

TEST(CommitOrder, OfTwoNumbersOfOneCommitTheLargerOneIsNotOfAShallowClone) {
  const auto sessions = placed_sessions({{"a", 10}, {"b", 11}, {"b", 1}});
  EXPECT_THAT(order_of(sessions), ElementsAre("a", "b", "b"));
}

}  // namespace
}  // namespace stepgate
