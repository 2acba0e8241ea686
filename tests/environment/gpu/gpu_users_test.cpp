#include "environment/gpu/gpu_users.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

namespace stepgate {
namespace {

using Lists = std::vector<GpuUsers>;

GpuWindow window_of(std::int64_t before, const Lists& inside) {
  GpuWindow window;
  window.before.sample.users = {GpuUsers{before, 0}, 0, ""};
  for (const GpuUsers& users : inside) window.samples.emplace_back().users = {users, 0, ""};
  return window;
}

std::string text_of(const OtherUsers& users) {
  return users.processes ? std::to_string(*users.processes) : users.reason;
}

std::string others(std::int64_t before, const Lists& inside) { return text_of(other_users(window_of(before, inside))); }

TEST(GpuUsers, OursAloneIsNobodyElse) { EXPECT_EQ(others(0, {{1, 0}, {1, 0}}), "0"); }

TEST(GpuUsers, AProcessThatComesAndGoesInTheWindowIsFound) {
  EXPECT_EQ(others(0, {{1, 0}, {1, 0}, {3, 0}, {1, 0}}), "2");
}

TEST(GpuUsers, AListThatNeverShowsOursSaysNothing) {
  EXPECT_EQ(others(0, {{0, 0}, {0, 0}}), "not observable: the list does not show our own process");
}

TEST(GpuUsers, WhoWasThereBeforeOursIsFoundWhereTheListDoesNotGrow) {
  EXPECT_EQ(others(1, {{1, 0}}), "1") << "ours is hidden";
  EXPECT_EQ(others(2, {{0, 0}}), "2");
  EXPECT_EQ(others(1, {{2, 0}}), "1");
}

TEST(GpuUsers, TheServerOfMpsIsNobody) {
  EXPECT_EQ(others(0, {{2, 1}}), "0") << "the server and we";
  EXPECT_EQ(others(1, {{2, 1}}), "0") << "the server was there before";
  EXPECT_EQ(others(1, {{3, 2}}), "1") << "and another client";
  EXPECT_EQ(others(0, {{1, 1}}), "0") << "a list without the server";
}

TEST(GpuUsers, WhereTheDriverHasNoListOfClientsTheVariableTellsOfMps) {
  GpuWindow window = window_of(1, {{2, {}}});
  window.before.sample.users.value->mps_clients.reset();
  EXPECT_EQ(text_of(other_users(window)), "1");
  window.is_told_of_mps = true;
  EXPECT_EQ(text_of(other_users(window)), "0");
  window = window_of(0, {{2, 0}});
  window.is_told_of_mps = true;
  EXPECT_EQ(text_of(other_users(window)), "1") << "the driver shows that nobody is a client";
}

TEST(GpuUsers, SharedGpusAndUnreadListsHaveNoCount) {
  GpuWindow window = window_of(0, {{7, 0}});
  window.before.hidden_users = "not observable: the GPU is split (MIG)";
  EXPECT_EQ(text_of(other_users(window)), "not observable: the GPU is split (MIG)");
  window = window_of(0, {});
  EXPECT_EQ(text_of(other_users(window)), "no reading fell into the timed passes");
  window.samples.emplace_back().users = {std::nullopt, EPERM, "may not"};
  EXPECT_EQ(text_of(other_users(window)), "may not");
  window.samples.emplace_back().users = {GpuUsers{2, 0}, 0, ""};
  EXPECT_EQ(text_of(other_users(window)), "1") << "one list is enough";
}

}  // namespace
}  // namespace stepgate
