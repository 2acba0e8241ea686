#include "launch/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Plan plan_of(std::int64_t timed, std::int64_t exact) {
  Plan plan;
  plan.timed_replicates = timed;
  plan.exact_replicates = exact;
  return plan;
}

TEST(Schedule, StartsWithExactThenAlternates) {
  EXPECT_THAT(schedule_of(plan_of(2, 2), {Group::timed, Group::exact, Group::reference}),
              ElementsAre(Slot{Group::exact, 0}, Slot{Group::exact, 1}, Slot{Group::timed, 0},
                          Slot{Group::reference, 0}, Slot{Group::timed, 1}, Slot{Group::reference, 1}));
}

TEST(Schedule, IsHopelessWhereNearlyAllAreDiscarded) {
  const Plan plan = plan_of(5, 0);  // fifteen tries
  EXPECT_FALSE(is_hopeless(plan, 3, {.measured = 5, .clean = 0}));
  EXPECT_TRUE(is_hopeless(plan, 3, {.measured = 6, .clean = 0}));
  EXPECT_FALSE(is_hopeless(plan, 3, {.measured = 7, .clean = 1})) << "less than half of the tries";
  EXPECT_TRUE(is_hopeless(plan, 3, {.measured = 8, .clean = 1})) << "fifteen tries would give two";
  EXPECT_FALSE(is_hopeless(plan, 3, {.measured = 8, .clean = 2}));
  EXPECT_FALSE(is_hopeless(plan, 1, {.measured = 8, .clean = 1})) << "one is all that the verdict needs";
  EXPECT_FALSE(is_hopeless(plan_of(1, 0), 3, {.measured = 3, .clean = 1})) << "all that was asked for";
}

TEST(Schedule, LeavesOutWhatIsNotAskedFor) {
  EXPECT_THAT(schedule_of(plan_of(2, 2), {Group::timed}), ElementsAre(Slot{Group::timed, 0}, Slot{Group::timed, 1}));
  EXPECT_THAT(schedule_of(plan_of(2, 1), {Group::exact, Group::exact}), ElementsAre(Slot{Group::exact, 0}));
  EXPECT_THAT(schedule_of(plan_of(2, 2), {}), IsEmpty());
}

TEST(TimeEstimate, SumsTheMeansOfWhatIsToCome) {
  const auto slots = schedule_of(plan_of(2, 1), {Group::exact, Group::timed, Group::reference});
  TimeEstimate estimate;
  EXPECT_EQ(estimate.remaining_s(slots, 0), std::nullopt);
  estimate.add(Group::exact, 1);
  estimate.add(Group::timed, 4);
  EXPECT_EQ(estimate.remaining_s(slots, 2), std::nullopt) << "reference was not seen yet";
  estimate.add(Group::reference, 2);
  estimate.add(Group::timed, 6);
  EXPECT_EQ(estimate.remaining_s(slots, 3), 7);
  EXPECT_EQ(estimate.remaining_s(slots, slots.size()), 0);
}

}  // namespace
}  // namespace stepgate
