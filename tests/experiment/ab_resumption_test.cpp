// Interrupted A/B runs: what is kept, and what begins anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "experiment/four_pairs.h"
#include "experiment/plan/measurement_files.h"
#include "json/records/measurement_json.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Processes of a whole run: 2 exact, then two of each pair.
class AbInterrupted : public testing::TestWithParam<std::int64_t> {};

TEST_P(AbInterrupted, GoesOnWithWhatIsComplete) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  fs::create_directories(whole_verdict(build).parent_path());
  std::ofstream(whole_verdict(build)) << "{}";
  Listener stopping(build, GetParam());
  const JudgedRun first = run_ab(build.project(), four_pairs(build, TierChoice::all), stopping.caller());
  EXPECT_EQ(first.interrupted_by, 2);
  EXPECT_THAT(stopping.notices(), HasSubstr("the same command continues from them"));
  EXPECT_THAT(first.report.outcomes, IsEmpty());
  const AbPlan before = stored_plan(build);
  EXPECT_FALSE(before.complete);
  EXPECT_FALSE(fs::exists(whole_verdict(build))) << "that of an earlier comparison";
  EXPECT_THAT(text_in(ab_folder(build) / "verdict.json"), HasSubstr("\"exit_status\": 3"));

  Project later = build.project();
  later.start.unix_s += 3600;  // another seed, if it were drawn anew
  Listener going_on;
  const JudgedRun second = run_ab(later, four_pairs(build, TierChoice::all), going_on.caller());
  EXPECT_THAT(going_on.notices(), HasSubstr("continuing the run of " + before.utc));
  EXPECT_EQ(stored_plan(build).order_seed, before.order_seed);
  ASSERT_THAT(second.report.outcomes, SizeIs(1));
  EXPECT_THAT(text_in(whole_verdict(build)), HasSubstr(fake_case));
  // Both sides of a pair are measured anew where one is missing; everything else once.
  const std::int64_t whole = 2 + 4 * 2;
  const std::int64_t complete = GetParam() < 2 ? GetParam() : 2 + (GetParam() - 2) / 2 * 2;
  EXPECT_EQ(std::ssize(going_on.progress()), whole - complete);
}

INSTANTIATE_TEST_SUITE_P(Resumption, AbInterrupted, testing::Values(0, 1, 2, 3, 4, 5, 6, 9));

TEST(Ab, ACompleteRunBeginsAnew) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Listener first;
  run_ab(build.project(), four_pairs(build), first.caller());
  Listener second;
  run_ab(build.project(), four_pairs(build), second.caller());
  EXPECT_THAT(second.progress(), SizeIs(8));
  EXPECT_THAT(second.notices(), Not(HasSubstr("continuing")));
}

/// The plan as an interrupted run of another start of the machine would have left it.
void begin_plan_again(const FakeBuild& build, const AbPlan& plan) {
  std::ofstream(ab_folder(build) / "ab.json") << to_text(plan);
}

/// As if its processes had run so much earlier.
void make_older(const FakeBuild& build, std::int64_t seconds) {
  for (const auto& entry : fs::recursive_directory_iterator(ab_folder(build))) {
    if (entry.path().filename() != "measurement.json") continue;
    Measurement measurement = read_measurement(entry.path());
    measurement.unix_s -= seconds;
    std::ofstream(entry.path()) << to_text(measurement);
  }
}

TEST(Ab, AnotherOrderOrAnotherPlanBeginsAnew) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  const auto interrupted_then = [&](const AbOptions& options) {
    Listener stopping(build, 7);
    run_ab(build.project(), four_pairs(build), stopping.caller());
    Listener after;
    run_ab(build.project(), options, after.caller());
    return after.notices();
  };
  EXPECT_THAT(interrupted_then(four_pairs(build)), HasSubstr("continuing the run"));
  AbOptions other_order = four_pairs(build);
  other_order.pairs.order_seed = 99;
  EXPECT_THAT(interrupted_then(other_order), Not(HasSubstr("continuing")));
  AbOptions other_plan = four_pairs(build);
  other_plan.measure.threads = 2;
  EXPECT_THAT(interrupted_then(other_plan), Not(HasSubstr("continuing")));
}

TEST(Ab, AnotherPolicyAnotherStartOrALongPauseBeginsAnew) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  const auto after_interruption = [&](const std::function<void()>& change) {
    Listener stopping(build, 7);
    run_ab(build.project(), four_pairs(build), stopping.caller());
    change();
    Listener after;
    run_ab(build.project(), four_pairs(build), after.caller());
    EXPECT_THAT(after.notices(), Not(HasSubstr("continuing")));
    EXPECT_THAT(after.progress(), SizeIs(8));
    return after.notices();
  };
  EXPECT_THAT(after_interruption([&] {
                Policy other;
                other.min_clean_replicates = 4;
                build.write_policy(other);
              }),
              HasSubstr("begins anew: the policy is another one"));
  EXPECT_THAT(after_interruption([&] {
                AbPlan before = stored_plan(build);
                before.machine += " before it was restarted";
                begin_plan_again(build, before);
              }),
              HasSubstr("begins anew: this is another machine, or it was restarted"));
  EXPECT_THAT(after_interruption([&] { make_older(build, 2 * 3600); }),
              HasSubstr("the interrupted run begins anew: its last process is 2 h old"));
}

}  // namespace
}  // namespace stepgate
