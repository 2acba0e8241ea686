#include "measure/profile/experiments/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace stepgate {
namespace {

using testing::ElementsAre;

TEST(TurnsOfRound, NeighboursDiffer) {
  EXPECT_THAT(turns_of_round({.variants = 2, .turns = 3, .window = 3}),
              ElementsAre(Turn{0}, Turn{1}, Turn{0}, Turn{1}, Turn{0}, Turn{1}));
}

TEST(TurnsOfRound, EachVariantKeepsEachPlaceInAWindowEquallyOften) {
  for (const std::int64_t window : {1, 5, 10, 12}) {
    for (const std::size_t variants : {1U, 2U, 5U, 9U, 10U, 11U, 20U}) {
      std::map<std::pair<std::size_t, std::int64_t>, int> times;  // by variant and place
      std::int64_t step = 0;
      for (const Turn& turn : turns_of_round({.variants = variants, .turns = window, .window = window})) {
        step += turn.skipped + steps_of_turn;
        ++times[{turn.variant, (step - 1) % window}];
      }
      EXPECT_EQ(std::ssize(times), static_cast<std::ptrdiff_t>(variants) * window);
      for (const auto& [what, number] : times) EXPECT_EQ(number, 1) << what.first << " of " << variants;
    }
  }
}

TEST(TurnsOfRound, WithoutVariantsThereAreNone) {
  EXPECT_TRUE(turns_of_round({.variants = 0, .turns = 6, .window = 3}).empty());
  EXPECT_THAT(turns_of_round({.variants = 1, .turns = 2, .window = 2}), ElementsAre(Turn{0}, Turn{0, 1}));
}

}  // namespace
}  // namespace stepgate
