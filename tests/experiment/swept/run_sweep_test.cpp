// A sweep in rounds of fresh processes, one of every setting in each.
#include "experiment/swept/run_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "experiment/fake_build.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

SweepOptions three_settings(const FakeBuild& build) {
  return {.case_name = fake_case,
          .parameters = {"width=1,2,3"},
          .metric = "step_time_ns",
          .measure = {.timed_replicates = 4},
          .host = build.host()};
}

constexpr const char* wider_is_slower = R"sh(
width=${param#*width=}
echo "$width" >> "$here/log"
sed "s/1000/$((1000 * width + $(wc -l < "$here/log")))/" "$here/timed-0.json" > "$record")sh";

TEST(Sweep, RunsEverySettingOnceInEachRound) {
  const FakeBuild build(wider_is_slower);
  Listener listener;
  const Sweep sweep = run_sweep(build.project(), three_settings(build), listener.caller());
  EXPECT_EQ(build.processes(), 12);
  ASSERT_THAT(sweep.orders, SizeIs(4));
  for (const auto& order : sweep.orders) EXPECT_THAT(order, UnorderedElementsAre(0u, 1u, 2u));
  for (const SweepSetting& setting : sweep.settings) EXPECT_THAT(setting.by_round, SizeIs(4)) << setting.failure;
  EXPECT_EQ(listener.progress().back().started, 11);
  EXPECT_EQ(listener.progress().back().planned, 12);
  ASSERT_THAT(sweep.ranking.ranks, SizeIs(3));
  EXPECT_EQ(sweep.ranking.ranks.front().setting, 0u) << "the narrowest is the fastest";
  EXPECT_TRUE(fs::exists(sweep_folder(build.project(), fake_case) / "sweep.json"));
}

TEST(Sweep, ASettingThatFailsIsNotStartedAgain) {
  const FakeBuild build(std::string("case $param in *=2) echo 2 >> $here/log; exit 3 ;; esac") + wider_is_slower);
  Listener listener;
  const Sweep sweep = run_sweep(build.project(), three_settings(build), listener.caller());
  EXPECT_EQ(build.processes(), 9) << "once the one that fails, four times each of the others";
  EXPECT_FALSE(sweep.settings[1].failure.empty());
  EXPECT_THAT(sweep.settings[2].by_round, SizeIs(4));
}

TEST(Sweep, AnInterruptionKeepsWhatWasMeasured) {
  const FakeBuild build(wider_is_slower);
  Listener listener(build, 4);
  const Sweep sweep = run_sweep(build.project(), three_settings(build), listener.caller());
  EXPECT_TRUE(sweep.interrupted);
  std::size_t values = 0;
  for (const SweepSetting& setting : sweep.settings) values += setting.by_round.size();
  EXPECT_EQ(values, 4u);
}

/// The error of a sweep over `parameter`.
std::string refusal_of(const FakeBuild& build, const std::string& parameter) {
  SweepOptions options = three_settings(build);
  options.parameters = {parameter};
  Listener listener;
  try {
    run_sweep(build.project(), options, listener.caller());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return fmt::format("{}\n{}", error.what(), error.remedy());
  }
  return "not refused";
}

TEST(Sweep, AParameterThatTheCaseDoesNotDeclareIsRefusedBeforeAnythingRuns) {
  const FakeBuild build(wider_is_slower);
  EXPECT_THAT(refusal_of(build, "batch_sise=2,4"),
              AllOf(HasSubstr("--vary batch_sise: fake/case/tiny does not declare it"),
                    HasSubstr("did you mean 'batch_size'?"), HasSubstr("it declares: batch_size, width, threads")));
  EXPECT_THAT(refusal_of(build, "color=red,green"), Not(HasSubstr("did you mean")));
  EXPECT_THAT(refusal_of(build, "thread=1,2"), HasSubstr("did you mean 'threads'?"));
  EXPECT_EQ(build.processes(), 0);
}

TEST(Sweep, VariesTheRateOfRequestsOfACaseThatDeclaresNone) {
  const FakeBuild build(wider_is_slower);
  Listener listener;
  SweepOptions options = three_settings(build);
  options.parameters = {"width=1,2", "request_rate_per_s=40,80"};
  const Sweep sweep = run_sweep(build.project(), options, listener.caller());
  ASSERT_THAT(sweep.settings, SizeIs(4));
  for (const SweepSetting& setting : sweep.settings) EXPECT_THAT(setting.by_round, SizeIs(4)) << setting.failure;
}

TEST(Sweep, RefusesWhatMakesNoSense) {
  const FakeBuild build(wider_is_slower);
  Listener listener;
  SweepOptions unranked = three_settings(build);
  unranked.metric = "operators_per_step";
  EXPECT_THROW(run_sweep(build.project(), unranked, listener.caller()), Error);
  SweepOptions twice = three_settings(build);
  twice.parameters = {"threads=1,2"};
  twice.measure.threads = 2;
  EXPECT_THROW(run_sweep(build.project(), twice, listener.caller()), Error);
  EXPECT_EQ(build.processes(), 0);
}

}  // namespace
}  // namespace stepgate
