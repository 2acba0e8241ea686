// How an interrupted A/B run is found again.
#include "experiment/pairs/resumption.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

AbPlan example_plan() {
  AbPlan plan;
  plan.case_name = "fake/case/tiny";
  plan.utc = "2026-11-21T10:00:00Z";
  plan.order_seed = 7;
  plan.most_pairs = 8;
  plan.base_digest = "b";
  plan.head_digest = "h";
  return plan;
}

TEST(Resumption, ASeedIsTakenUpUntilItsRunIsFinished) {
  const TemporaryFolder folder;
  EXPECT_EQ(unfinished_seed(folder.path(), std::nullopt), std::nullopt);
  mark_unfinished(folder.path(), 42);
  EXPECT_EQ(text_of(folder.path() / "ab-unfinished.txt"), "42\n") << "as older versions wrote it";
  EXPECT_EQ(unfinished_seed(folder.path(), std::nullopt), 42u);
  EXPECT_EQ(unfinished_seed(folder.path(), 42), 42u);
  EXPECT_EQ(unfinished_seed(folder.path(), 43), std::nullopt) << "another order was asked for";
  mark_finished(folder.path());
  EXPECT_EQ(unfinished_seed(folder.path(), std::nullopt), std::nullopt);
}

TEST(Resumption, APlanGoesOnWhereItIsOfTheSameComparison) {
  const TemporaryFolder folder;
  const AbPlan plan = example_plan();
  EXPECT_FALSE(interrupted_plan(folder.path(), plan, {}));
  begin_plan(folder.path(), plan);
  AbPlan later = plan;
  later.utc = "2026-11-21T11:00:00Z";
  ASSERT_TRUE(interrupted_plan(folder.path(), later, {}));
  EXPECT_EQ(interrupted_plan(folder.path(), later, {})->utc, plan.utc);
  AbPlan rebuilt = later;
  rebuilt.head_digest = "h2";
  EXPECT_FALSE(interrupted_plan(folder.path(), rebuilt, {}));
  AbPlan longer = later;
  longer.most_pairs = 16;
  EXPECT_FALSE(interrupted_plan(folder.path(), longer, {}));
}

TEST(Resumption, AnotherOrderGoesOnOnlyWhereAnyOrderWill) {
  const TemporaryFolder folder;
  begin_plan(folder.path(), example_plan());
  AbPlan other_order = example_plan();
  other_order.order_seed = 8;
  EXPECT_FALSE(interrupted_plan(folder.path(), other_order, {}));
  EXPECT_EQ(interrupted_plan(folder.path(), other_order, {.any_order = true})->order_seed, 7u);
}

TEST(Resumption, ACompletePlanStaysOnlyWhileItsRunGoesOn) {
  const TemporaryFolder folder;
  AbPlan plan = example_plan();
  begin_plan(folder.path(), plan);
  complete_plan(folder.path(), plan);
  EXPECT_FALSE(interrupted_plan(folder.path(), example_plan(), {}));
  EXPECT_TRUE(interrupted_plan(folder.path(), example_plan(), {.complete = true}));
}

TEST(Resumption, ANewPlanClearsWhatAnOlderOneLeft) {
  const TemporaryFolder folder;
  for (const char* old : {"pairs/000/base", "control/000/twin", "exact/head", "seeds/000/base"}) {
    fs::create_directories(folder.path() / old);
  }
  begin_plan(folder.path(), example_plan());
  for (const char* old : {"pairs", "control", "exact", "seeds"}) EXPECT_FALSE(fs::exists(folder.path() / old)) << old;
}

}  // namespace
}  // namespace stepgate
