#include "lab/node_suites.h"

#include <gtest/gtest.h>

namespace stepgate::lab {
namespace {

NodeOutcome outcome_of(const FleetModel& fleet, std::int64_t nodes, double change) {
  const PairRule rule(default_pair_plan(), {.red = 0.05 / 20, .pass = 0.05});
  return simulate({.fleet = fleet, .rule = rule, .nodes = nodes, .change = change, .suites = 40, .seed = 3});
}

TEST(NodeSuites, ANodeThatFavoursASideIsRejectedAndItsPairsDoNotCount) {
  const NodeOutcome outcome = outcome_of({.name = "odd", .odd_side = 0.3}, 4, 0);
  EXPECT_GE(outcome.rejected_nodes, 40) << "one in each suite";
  EXPECT_LT(outcome.rejected_nodes, 50);
  EXPECT_EQ(outcome.regressed, 0);
  EXPECT_EQ(outcome.inconclusive, 0);
}

TEST(NodeSuites, WhereHalfOfTheNodesAreRejectedNothingIsRedThatTheyMayExplain) {
  const NodeOutcome outcome = outcome_of({.name = "odd", .odd_side = 0.3}, 2, 0.05);
  EXPECT_EQ(outcome.regressed, 0);
  EXPECT_GT(outcome.inconclusive, 0);
}

TEST(NodeSuites, WhereHalfOfTheNodesAreRejectedALargeRedStands) {
  const NodeOutcome outcome =
      outcome_of({.name = "odd", .noise = {.name = "quiet", .process_sd = 0.001}, .odd_side = 0.02}, 2, 1);
  EXPECT_GE(outcome.rejected_nodes, 40);
  EXPECT_GT(outcome.regressed, 600) << "of 800 cases; where both nodes are rejected there are no pairs";
}

TEST(NodeSuites, ABuildThatIsSlowerOnOneNodeIsNoRedOfTheOthers) {
  EXPECT_EQ(outcome_of({.name = "odd", .odd_build = 0.05}, 8, 0).regressed, 0);
  EXPECT_GT(outcome_of({.name = "odd", .odd_build = 0.05}, 1, 0).regressed, 700) << "of 800 cases";
}

}  // namespace
}  // namespace stepgate::lab
