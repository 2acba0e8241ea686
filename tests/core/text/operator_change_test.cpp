#include "core/text/operator_change.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace stepgate {
namespace {

using CallsByBoundary = std::map<std::string, std::map<std::string, std::int64_t>>;

TEST(OperatorChange, ComparesCallsPerStepNotTotals) {
  const CallsByBoundary before = {{"forward", {{"aten::mm", 8}}}};
  const CallsByBoundary after = {{"forward", {{"aten::mm", 4}}}};
  EXPECT_TRUE(operator_changes({before, 8}, {after, 4}).empty());
  ASSERT_EQ(operator_changes({before, 8}, {after, 8}).size(), 1U);
  EXPECT_EQ(operator_changes({before, 8}, {after, 8})[0].difference(), -0.5);
}

TEST(OperatorChange, SortsByBoundaryThenBySize) {
  const CallsByBoundary before = {{"backward", {{"aten::mm", 8}}}};
  const CallsByBoundary after = {{"backward", {{"aten::mm", 16}}}, {"forward", {{"aten::add", 8}, {"aten::mul", 24}}}};
  const auto changes = operator_changes({before, 8}, {after, 8});
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0].name, "aten::mul");
  EXPECT_EQ(changes[1].name, "aten::add");
  EXPECT_EQ(changes[2].boundary, "backward");
}

TEST(OperatorChange, KeepsTheOperatorsOfEachNamedBoundaryTogether) {
  const CallsByBoundary after = {{"critic", {{"aten::add", 8}, {"aten::mul", 24}}},
                                 {"actor", {{"aten::add", 16}}},
                                 {"logging", {{"aten::item", 8}}}};
  std::vector<std::string> boundaries;
  for (const OperatorChange& change : operator_changes({{}, 8}, {after, 8})) boundaries.push_back(change.boundary);
  EXPECT_EQ(boundaries, (std::vector<std::string>{"logging", "actor", "critic", "critic"}));
}

TEST(OperatorChange, SaysNothingWithoutCountedSteps) {
  const CallsByBoundary calls = {{"forward", {{"aten::mm", 8}}}};
  EXPECT_TRUE(operator_changes({calls, 0}, {{}, 8}).empty());
  EXPECT_EQ(counted_steps({}), 0U);
  EXPECT_EQ(counted_steps({{"shapes_seen", {1}}, {"operators_per_step", {3, 3, 3}}}), 3U);
  EXPECT_EQ(counted_steps({{"allocator_retries_per_step", {0, 0, 0, 0}}, {"operators_per_step", {3, 3, 3}}}), 3U)
      << "the memory pass has steps of its own";
}

TEST(OperatorChange, KnowsViews) {
  for (const char* name : {"aten::split", "aten::unfold", "aten::chunk", "aten::movedim", "aten::_unsafe_view"})
    EXPECT_TRUE(is_view(name)) << name;
  for (const char* name : {"aten::mul", "aten::fold", "split", "mylib::view", "aten::clone"})
    EXPECT_FALSE(is_view(name)) << name;
}

}  // namespace
}  // namespace stepgate
