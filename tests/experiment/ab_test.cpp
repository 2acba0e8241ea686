// Two builds by pairs, from the plan to the report. Both builds are the same program: it tells the sides apart by the
// folder that it was copied to.
#include "experiment/ab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/four_pairs.h"
#include "experiment/pairs/same_programs.h"
#include "json/stored/ab_plan_json.h"
#include "launch/pair_order.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<std::string> lines_of_log(const FakeBuild& build) {
  std::istringstream text(build.program().text_of("log"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(Ab, KeepsEachPairAndNeedsNoControlWithoutARed) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Listener listener;
  const JudgedRun result = run_ab(build.project(), four_pairs(build), listener.caller());
  EXPECT_EQ(build.processes(), 8) << "four pairs: nothing can be red that a control would have to withdraw";
  for (const char* folder : {"pairs/000/base", "pairs/003/head"}) {
    EXPECT_TRUE(fs::exists(ab_folder(build) / folder / "measurement.json")) << folder;
  }
  EXPECT_FALSE(fs::exists(ab_folder(build) / "control"));
  EXPECT_TRUE(stored_plan(build).complete);
  EXPECT_FALSE(fs::exists(build.root() / "out/ab-unfinished.txt"));
  EXPECT_TRUE(fs::exists(ab_folder(build) / "verdict.json"));
  ASSERT_THAT(result.report.outcomes, SizeIs(1));
  EXPECT_EQ(name_of(result.report.outcomes.front().kind), "ab");
}

TEST(Ab, TheFirstPairLengthensTheWindowsOfBothSides) {
  const FakeBuild build(runs_short_steps);
  write_short_steps(build.program().folder());
  Listener listener;
  const JudgedRun result = run_ab(build.project(), four_pairs(build), listener.caller());
  const auto lines = lines_of_log(build);
  ASSERT_THAT(lines, SizeIs(10)) << "the first pair twice";
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_THAT(lines[i], HasSubstr(i < 2 ? "declared" : "window=640"));
  EXPECT_THAT(listener.notices(), HasSubstr("window=640"));
  EXPECT_NE(result.report.outcomes.front().verdict.status, Status::failed);
}

TEST(Ab, AnInterruptedRunGoesOnWithTheWindowsThatItBeganWith) {
  const FakeBuild build(runs_short_steps);
  write_short_steps(build.program().folder());
  Listener stopping(build, 8);
  EXPECT_EQ(run_ab(build.project(), four_pairs(build), stopping.caller()).interrupted_by, 2);
  const std::size_t before = lines_of_log(build).size();
  Listener going_on;
  run_ab(build.project(), four_pairs(build), going_on.caller());
  const auto lines = lines_of_log(build);
  ASSERT_GT(lines.size(), before);
  for (std::size_t i = before; i < lines.size(); ++i) EXPECT_THAT(lines[i], HasSubstr("window=640"));
}

TEST(Ab, RunsTheSidesInTheDrawnOrder) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.order_seed = 7;
  run_ab(build.project(), options, listener.caller());
  const std::vector<bool> head_first = head_first_orders(7, fake_case, 4);
  const auto lines = lines_of_log(build);
  ASSERT_THAT(lines, SizeIs(8));
  for (std::size_t pair = 0; pair < 4; ++pair) {
    EXPECT_THAT(lines[2 * pair], StartsWith(head_first[pair] ? "head" : "base")) << "pair " << pair;
  }
}

/// A build whose losses differ from process to process; the policy declares it.
class AbOfVaryingLosses : public testing::Test {
 protected:
  static Outcome outcome_of(const FakeBuild& build) {
    RunRecord record = valid_record(Group::exact, 0);
    record.numerics =
        NumericTrace{.loss = {1000, 1000}, .grad_norm = {1, 1}, .loss_digest = "", .parameter_digest = ""};
    build.write_exact_records(record);
    Policy policy;
    policy.varying = {{"fake/*", {"loss"}, "two threads draw"}};
    build.write_policy(policy);
    Listener listener;
    return run_ab(build.project(), four_pairs(build, TierChoice::exact), listener.caller()).report.outcomes.front();
  }
  static MetricVerdict loss_of(const Outcome& outcome) {
    for (const MetricVerdict& metric : outcome.verdict.metrics) {
      if (metric.metric == "loss") return metric;
    }
    return {};
  }
};

TEST_F(AbOfVaryingLosses, TheRangesOfBothBuildsDecide) {
  const FakeBuild unchanged(std::string(noisy_process) + "finish");
  Outcome outcome = outcome_of(unchanged);
  EXPECT_EQ(unchanged.processes(), 10) << "five of each build: 2 / C(10, 5) is below alpha / M";
  EXPECT_EQ(outcome.verdict.status, Status::pass) << outcome.verdict.detail;
  EXPECT_EQ(name_of(loss_of(outcome).reason), "varying") << loss_of(outcome).detail;
  EXPECT_EQ(loss_of(outcome).status, Status::not_judged);

  const FakeBuild diverging(std::string(noisy_process) + "[ $side = head ] && slow 200; finish");
  outcome = outcome_of(diverging);
  EXPECT_EQ(outcome.verdict.status, Status::regressed) << outcome.verdict.detail;
  EXPECT_EQ(name_of(loss_of(outcome).reason), "outside-range");
}

TEST(Ab, ATimeBudgetEndsThePairs) {
  const FakeBuild build(std::string(noisy_process) + "sleep 0.1; finish");
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.budget_s = 0.3;
  const JudgedRun result = run_ab(build.project(), options, listener.caller());
  EXPECT_THAT(build.processes(), testing::AllOf(testing::Ge(2), testing::Lt(8)));
  EXPECT_TRUE(stored_plan(build).complete) << "nothing is to be added later";
  EXPECT_EQ(result.report.outcomes.front().verdict.status, Status::inconclusive);
}

TEST(Ab, AControlThatDiffersLeavesARedOpen) {
  const std::string slow_copies = std::string(noisy_process) + "case $side in head|twin) slow 150 ;; esac; finish";
  const FakeBuild build(slow_copies);
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.most_pairs = 8;
  const Outcome outcome = run_ab(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::inconclusive);
  EXPECT_EQ(name_of(outcome.verdict.reason), "control-moved");
}

TEST(Ab, ASlowerHeadIsRedWhereTheControlIsStill) {
  const FakeBuild build(std::string(noisy_process) + "[ $side = head ] && slow 150; finish");
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.most_pairs = 8;
  const Outcome outcome = run_ab(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_EQ(outcome.verdict.status, Status::regressed);
  EXPECT_THAT(outcome.verdict.detail, HasSubstr("8 pairs)")) << "the control has as many pairs as the red";
  const std::string log = build.program().text_of("log");
  EXPECT_EQ(build.processes(), 32) << "eight pairs and eight of the control";
  EXPECT_LT(log.find("twin"), log.rfind("head")) << "the control is measured beside the pairs: a red is in reach";
}

TEST(Ab, AFasterHeadGetsThePairsThatMayCallItImproved) {
  const FakeBuild build(std::string(noisy_process) + "[ $side = head ] && slow 50; finish");
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.most_pairs = 16;
  const JudgedRun result = run_ab(build.project(), options, listener.caller());
  EXPECT_EQ(result.report.outcomes.front().verdict.status, Status::improved);
  EXPECT_TRUE(fs::exists(ab_folder(build) / "pairs/007"));
  EXPECT_FALSE(fs::exists(ab_folder(build) / "pairs/008"));
  EXPECT_FALSE(fs::exists(ab_folder(build) / "control")) << "it withdraws no improvement";
}

TEST(Ab, ANoisyFirstStepKeepsNoRunOpenThatTheStepTimeDecided) {
  // The step time differs by .02 %. The first step takes one of nine values between 400 and 1600, whatever the side.
  const FakeBuild build(std::string(noisy_process) + R"sh(
set -- 400 1600 900 700 1200 500 1400 800 1000
shift $((n * 5 % 9))
sed "s/1000/$((100000 + n * 7 % 20))/; s/\"first_step_ns\": 10/\"first_step_ns\": $1/" \
  "$here/$group-$replicate.json" > "$record")sh");
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.most_pairs = 16;
  options.pairs.order_seed = 2;  // an order in which the first step does not look worse by chance
  const Outcome outcome = run_ab(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_EQ(build.processes(), 8) << "four pairs, where the first step alone would take sixteen";
  EXPECT_EQ(outcome.verdict.status, Status::pass);
  EXPECT_THAT(outcome.verdict.detail, HasSubstr("too noisy here: first_step_ns"));
}

TEST(Ab, TellsWhichCpusBothSidesShare) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Listener listener;
  run_ab(build.project(), four_pairs(build), listener.caller());
  EXPECT_THAT(listener.notices(),
              ContainsRegex("fake/case/tiny: base and head run one after the other on the same CPU [0-9]+\n"));
  AbOptions wide = four_pairs(build);
  wide.measure.threads = 4096;
  run_ab(build.project(), wide, listener.caller());
  EXPECT_THAT(listener.notices(), HasSubstr("; the case asks for 4096, and no more are available"));
}

TEST(Ab, EndsSoonWhereEveryPairIsDiscarded) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Policy policy;
  policy.taint_limits[EvidenceKey::minor_faults] = 0;  // every process has page faults
  build.program().folder().write("policies/fake/policy.json", to_text(policy));
  Listener listener;
  AbOptions options = four_pairs(build);
  options.pairs.most_pairs = 16;
  const Outcome outcome = run_ab(build.project(), options, listener.caller()).report.outcomes.front();
  EXPECT_EQ(build.processes(), 12) << "two pairs, each process three times";
  EXPECT_THAT(listener.notices(), HasSubstr("fake/case/tiny: timed process 0 discarded at "));
  EXPECT_THAT(listener.notices(), HasSubstr(": minor_faults "));
  EXPECT_THAT(listener.notices(), HasSubstr("fake/case/tiny: 2 of 2 pairs discarded: no more are started"));
  EXPECT_EQ(outcome.verdict.status, Status::inconclusive);
  EXPECT_THAT(text_in(ab_folder(build) / "verdict.json"), Not(HasSubstr("busiest")));
}

TEST(Ab, TrainsBothBuildsFromEachSeed) {
  const FakeBuild build(
      std::string(noisy_process) +
      R"sh(echo "$side $seed" >> "$here/seeds"; sed "s/\"seed\": [0-9]*/\"seed\": $seed/" "$here/$group-$replicate.json" > "$record")sh");
  Listener listener;
  AbOptions options = four_pairs(build, TierChoice::exact);
  options.pairs.seeds = 5;
  options.pairs.seed_steps = StepCounts{}.numerics;
  run_ab(build.project(), options, listener.caller());
  for (const char* folder : {"seeds/000/base", "seeds/004/head"}) {
    EXPECT_TRUE(fs::exists(ab_folder(build) / folder / "measurement.json")) << folder;
  }
  const std::uint64_t first = Plan{}.seed;
  EXPECT_THAT(build.program().text_of("seeds"),
              HasSubstr(fmt::format("base {0}\nhead {0}\nbase {1}\nhead {1}", first + 3, first + 4)));
}

TEST(Ab, NamesCasesThatOnlyOneBuildHas) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Project head = build.project();
  head.manifest.cases.front().name = "fake/case/renamed";
  Listener listener;
  EXPECT_THROW(run_ab(head, four_pairs(build), listener.caller()), Error);
  EXPECT_THAT(listener.notices(), HasSubstr("fake/case/tiny is only in the base build"));
  EXPECT_THAT(listener.notices(), HasSubstr("fake/case/renamed is only in the head build"));
}

TEST(Ab, RefusesAnotherNumberOfGpus) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  Project head = build.project();
  head.manifest.cases.front().gpus = 2;
  Listener listener;
  EXPECT_THROW(run_ab(head, four_pairs(build), listener.caller()), Error);
}

TEST(Ab, RefusesTwoBuildFoldersThatRunOneProgram) {
  const FakeBuild base(std::string(noisy_process) + "finish");
  const FakeBuild head(std::string(noisy_process) + "finish");
  head.write_manifest(base.program().path());
  Listener listener;
  try {
    run_ab(head.project(), four_pairs(base), listener.caller());
    FAIL() << "a build was compared with itself";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("both run " + base.program().path().string()));
  }
  EXPECT_EQ(base.processes(), 0);
}

TEST(Ab, SaysThatBothProgramsHaveTheSameContent) {
  const FakeBuild base("finish"), head("finish"), other("finish; true");
  fs::copy_file(head.program().path(), base.root() / "copied");
  base.write_manifest(base.root() / "copied");
  const auto notices = [&](const FakeBuild& build) {
    return same_programs(head.project(), build.project(), head.project().manifest.cases);
  };
  ASSERT_THAT(notices(base), SizeIs(1));
  EXPECT_THAT(notices(base).front().text, HasSubstr("have the same content"));
  EXPECT_THAT(notices(head), SizeIs(1)) << "one build folder on both sides is a comparison with itself on purpose";
  EXPECT_THAT(notices(other), IsEmpty());
}

TEST(Ab, RefusesADebugBuildOnEitherSide) {
  const FakeBuild build(std::string(noisy_process) + "finish");
  const Project head = build.project();
  build.write_manifest(build.program().path(), "Debug");
  Listener listener;
  EXPECT_THROW(run_ab(head, four_pairs(build), listener.caller()), Error);
  EXPECT_THROW(run_ab(build.project(), four_pairs(build), listener.caller()), Error);
  EXPECT_EQ(build.processes(), 0);
}

}  // namespace
}  // namespace stepgate
