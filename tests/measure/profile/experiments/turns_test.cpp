#include "measure/profile/experiments/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace stepgate {
namespace {

using testing::ElementsAre;

TEST(TurnsOfRound, NeighboursDiffer) {
  EXPECT_THAT(turns_of_round({.variants = 3, .steps = 4, .window = 4}),
              ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
}

TEST(TurnsOfRound, EachVariantHasEachPlaceInAWindowEquallyOften) {
  for (const std::size_t variants : {1U, 2U, 5U, 10U, 11U, 20U}) {
    const auto turns = turns_of_round({.variants = variants, .steps = 20, .window = 10});
    std::map<std::pair<std::size_t, std::size_t>, int> times;  // by variant and place
    for (std::size_t step = 0; step < turns.size(); ++step) ++times[{turns[step], step % 10}];
    EXPECT_EQ(times.size(), variants * 10);
    for (const auto& [what, number] : times) EXPECT_EQ(number, 2) << what.first << " of " << variants;
  }
}

TEST(TurnsOfRound, WithoutVariantsThereAreNone) {
  EXPECT_TRUE(turns_of_round({.variants = 0, .steps = 6, .window = 3}).empty());
  EXPECT_THAT(turns_of_round({.variants = 1, .steps = 2, .window = 3}), ElementsAre(0, 0));
}

}  // namespace
}  // namespace stepgate
