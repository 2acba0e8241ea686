// How an interrupted A/B run is found again.
#include "experiment/pairs/resumption.h"

#include <gtest/gtest.h>

#include <functional>

#include "experiment/plan/measurement_files.h"
#include "json/expect_error.h"
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
  plan.policy_digest = "p";
  plan.machine = "node3";
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

TEST(Resumption, ADamagedSeedIsNoSeed) {
  const TemporaryFolder folder;
  for (const char* text : {"", "\n", "x\n", "-1\n", "7 8\n", "7", "18446744073709551616\n"}) {
    folder.write("ab-unfinished.txt", text);
    const auto read = [&] { unfinished_seed(folder.path(), std::nullopt); };
    expect_error(read, ErrorKind::measure, {"ab-unfinished.txt: expected the number"});
    EXPECT_THAT(error_of(read)->remedy(), ::testing::HasSubstr("remove the file"));
  }
  folder.write("ab-unfinished.txt", "18446744073709551615\n");
  EXPECT_EQ(unfinished_seed(folder.path(), std::nullopt), 18446744073709551615u);
}

TEST(Resumption, APlanGoesOnWhereItIsOfTheSameComparison) {
  const TemporaryFolder folder;
  const AbPlan plan = example_plan();
  EXPECT_FALSE(interrupted_plan(folder.path(), plan, {}).plan);
  EXPECT_EQ(interrupted_plan(folder.path(), plan, {}).refusal, "") << "nothing was interrupted";
  begin_plan(folder.path(), plan);
  AbPlan later = plan;
  later.utc = "2026-11-21T11:00:00Z";
  ASSERT_TRUE(interrupted_plan(folder.path(), later, {}).plan);
  EXPECT_EQ(interrupted_plan(folder.path(), later, {}).plan->utc, plan.utc);
}

TEST(Resumption, AnythingElseBeginsAnewAndIsNamed) {
  const TemporaryFolder folder;
  begin_plan(folder.path(), example_plan());
  const auto refusal = [&](const std::function<void(AbPlan&)>& change) {
    AbPlan wanted = example_plan();
    change(wanted);
    const Resumption found = interrupted_plan(folder.path(), wanted, {});
    EXPECT_FALSE(found.plan) << found.refusal;
    return found.refusal;
  };
  EXPECT_EQ(refusal([](AbPlan& plan) { plan.head_digest = "h2"; }), "the head build is another one");
  EXPECT_EQ(refusal([](AbPlan& plan) { plan.base_commit = "c2"; }), "the base build is another one");
  EXPECT_EQ(refusal([](AbPlan& plan) { plan.policy_digest = "p2"; }), "the policy is another one");
  EXPECT_EQ(refusal([](AbPlan& plan) { plan.machine = "node4"; }), "this is another machine, or it was restarted");
  EXPECT_EQ(refusal([](AbPlan& plan) { plan.most_pairs = 16; }), "something else is measured");
  EXPECT_EQ(refusal([](AbPlan& plan) { plan.order_seed = 8; }), "the order of its sides is another one");
}

/// A process of the plan in `folder` that began at `unix_s`.
void measured_at(const fs::path& folder, const std::string& place, std::int64_t unix_s) {
  Measurement measurement;
  measurement.case_name = "fake/case/tiny";
  measurement.unix_s = unix_s;
  write_measurement(folder / place, measurement);
}

TEST(Resumption, ALongPauseBeginsAnew) {
  constexpr std::int64_t begin = 1'760'000'000;
  for (const char* place : {"pairs/003/head", "control/000/twin", "exact/more-000/base", "seeds/001/base"}) {
    const TemporaryFolder folder;
    begin_plan(folder.path(), example_plan());
    EXPECT_TRUE(interrupted_plan(folder.path(), example_plan(), {.now_unix_s = begin}).plan) << "no process yet";
    measured_at(folder.path(), "pairs/000/base", begin - 100'000);
    measured_at(folder.path(), place, begin);
    const auto after = [&](std::int64_t seconds) {
      return interrupted_plan(folder.path(), example_plan(), {.now_unix_s = begin + seconds});
    };
    EXPECT_TRUE(after(longest_pause_s - 1).plan) << place;
    EXPECT_FALSE(after(longest_pause_s).plan) << place;
    EXPECT_EQ(after(5 * 3600).refusal, "its last process is 5 h old, and 30 min may lie between two");
    EXPECT_FALSE(after(-5 * 3600).plan) << "a clock that was set back says nothing";
    EXPECT_EQ(too_long_ago({folder.path() / "other", folder.path()}, begin), "");
    EXPECT_NE(too_long_ago({folder.path() / "other", folder.path()}, begin + longest_pause_s), "");
  }
}

TEST(Resumption, AnotherOrderGoesOnOnlyWhereAnyOrderWill) {
  const TemporaryFolder folder;
  begin_plan(folder.path(), example_plan());
  AbPlan other_order = example_plan();
  other_order.order_seed = 8;
  EXPECT_FALSE(interrupted_plan(folder.path(), other_order, {}).plan);
  EXPECT_EQ(interrupted_plan(folder.path(), other_order, {.any_order = true}).plan->order_seed, 7u);
}

TEST(Resumption, ACompletePlanStaysOnlyWhileItsRunGoesOn) {
  const TemporaryFolder folder;
  AbPlan plan = example_plan();
  begin_plan(folder.path(), plan);
  complete_plan(folder.path(), plan);
  EXPECT_FALSE(interrupted_plan(folder.path(), example_plan(), {}).plan);
  EXPECT_TRUE(interrupted_plan(folder.path(), example_plan(), {.complete = true}).plan);
}

TEST(Resumption, ANewPlanClearsWhatAnOlderOneLeft) {
  const TemporaryFolder folder;
  for (const char* old : {"pairs/000/base", "control/000/twin", "exact/head", "seeds/000/base", "observed/000/base"}) {
    fs::create_directories(folder.path() / old);
  }
  begin_plan(folder.path(), example_plan());
  for (const char* old : {"pairs", "control", "exact", "seeds", "observed"})
    EXPECT_FALSE(fs::exists(folder.path() / old)) << old;
}

}  // namespace
}  // namespace stepgate
