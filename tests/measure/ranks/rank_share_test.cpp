#include "measure/ranks/rank_share.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(RankShare, GivesEachRankItsRunOfCpus) {
  const std::vector<int> cpus = {2, 3, 8, 9};
  EXPECT_THAT(cpus_of_rank(cpus, 0, 2), ElementsAre(2, 3));
  EXPECT_THAT(cpus_of_rank(cpus, 1, 2), ElementsAre(8, 9));
  EXPECT_THAT(cpus_of_rank(cpus, 3, 4), ElementsAre(9));
}

TEST(RankShare, LeavesOverWhatDoesNotDivide) {
  const std::vector<int> cpus = {0, 1, 2, 3, 4};
  EXPECT_THAT(cpus_of_rank(cpus, 0, 2), ElementsAre(0, 1));
  EXPECT_THAT(cpus_of_rank(cpus, 1, 2), ElementsAre(2, 3));
}

TEST(RankShare, SharesWhereThereAreTooFew) {
  EXPECT_THAT(cpus_of_rank({7}, 0, 2), ElementsAre(7));
  EXPECT_THAT(cpus_of_rank({7}, 1, 2), ElementsAre(7));
  EXPECT_THAT(cpus_of_rank({4, 5}, 2, 3), ElementsAre(4));
  EXPECT_THAT(cpus_of_rank({}, 1, 2), IsEmpty());
}

TEST(RankShare, FindsTheCpusOfThisProcess) { EXPECT_THAT(inherited_cpus(), Not(IsEmpty())); }

}  // namespace
}  // namespace stepgate
