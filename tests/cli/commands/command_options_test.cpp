// The command line as the options of an experiment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/commands/command_ab.h"
#include "cli/commands/command_compare.h"
#include "cli/commands/command_gate.h"
#include "cli/commands/command_recover.h"
#include "cli/commands/command_report.h"
#include "cli/studies/command_ablate.h"
#include "cli/studies/command_doctor.h"
#include "cli/studies/command_profile.h"
#include "cli/studies/command_sweep.h"
#include "core/error.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CommandOptions, DefaultsAreThoseOfTheExperiments) {
  const JudgedMeasurement gate;
  EXPECT_EQ(measure_options(gate).tier, TierChoice::all);
  EXPECT_EQ(measure_options(gate).timed_replicates, std::nullopt);
  EXPECT_EQ(host_options(gate.machine).mode, GuardMode::process);
  EXPECT_TRUE(host_options(gate.machine).state_folder.is_absolute());
  EXPECT_THAT(pair_options(gate).base_build.string(), IsEmpty());
  EXPECT_EQ(pair_options(gate).interleave, Interleave::automatic);
}

TEST(CommandOptions, CarryWhatWasGiven) {
  const AbOptions ab = ab_options(options_of<AbCommand>(
      "ab language/char_lm/tiny --filter language/* --tier timed --steps e2e=60 --guard host --knobs governor,turbo "
      "--interleave windows --pairs 8"));
  EXPECT_THAT(ab.selection.names, ElementsAre("language/char_lm/tiny"));
  EXPECT_THAT(ab.selection.globs, ElementsAre("language/*"));
  EXPECT_EQ(ab.measure.tier, TierChoice::timed);
  EXPECT_EQ(ab.measure.steps.at("e2e"), 60);
  EXPECT_EQ(ab.host.mode, GuardMode::host);
  EXPECT_THAT(ab.host.knobs, ElementsAre("governor", "turbo"));
  EXPECT_EQ(ab.pairs.interleave, Interleave::windows);
  EXPECT_EQ(ab.pairs.most_pairs, 8);
}

TEST(CommandOptions, ConsentToLoosenedLimitsHasAName) {
  EXPECT_EQ(options_of<GateCommand>("gate --base-build before --allow-loosening jane").allow_loosening, "jane");
  const auto report = options_of<ReportCommand>("report --base-build before --allow-loosening \"jane doe\"");
  EXPECT_EQ(report.base_build, "before");
  EXPECT_EQ(report.allow_loosening, "jane doe");
  EXPECT_THAT(refusal_of("gate --allow-loosening \" \""), HasSubstr("names nobody"));
  EXPECT_THAT(refusal_of("report --allow-loosening NAME"), HasSubstr("names nobody"));
  const Variable label("STEPGATE_ALLOW_LOOSENING", "joe");
  EXPECT_EQ(options_of<GateCommand>("gate").allow_loosening, "joe");
}

TEST(CommandOptions, AProfileOfTwoBuildsCarriesTheBaseBuildAndItsOrder) {
  const ProfileDifferenceOptions difference = difference_options(
      options_of<ProfileCommand>("profile language/char_lm/tiny --base-build before --order-seed 7 --threads 2"));
  EXPECT_EQ(difference.case_name, "language/char_lm/tiny");
  EXPECT_EQ(difference.pairs.base_build, "before");
  EXPECT_EQ(difference.pairs.order_seed, 7U);
  EXPECT_EQ(difference.measure.threads, 2);
}

TEST(CommandOptions, RefuseTheWrongNumberOfArguments) {
  EXPECT_THROW(sweep_options({}), Error);
  EXPECT_THROW(ablation_options({}), Error);
  EXPECT_THROW(difference_options({}), Error);
  EXPECT_THROW(comparison_options(options_of<CompareCommand>("compare one")), Error);
  EXPECT_THROW(command_doctor(options_of<DoctorCommand>("doctor one")), Error);
  EXPECT_THROW(command_recover(options_of<RecoverCommand>("recover one")), Error);
  EXPECT_EQ(comparison_options(options_of<CompareCommand>("compare one two")).after, "two");
}

TEST(CommandOptions, AnEmulatedGpuHasTheExactHalfAlone) {
  const auto gate = options_of<GateCommand>("gate --device emulated:h100");
  EXPECT_EQ(measure_options(gate.run).tier, TierChoice::exact);
  ASSERT_TRUE(project_options(gate.run).device);
  EXPECT_EQ(project_options(gate.run).device->model, "h100");
  EXPECT_EQ(measure_options(options_of<GateCommand>("gate").run).tier, TierChoice::all);
  for (const std::string command : {"gate", "run", "ab", "check"}) {
    EXPECT_EQ(refusal_of(command + " --device emulated:h100 --tier exact"), "") << command;
    EXPECT_THAT(refusal_of(command + " --device emulated:h100 --tier timed"), HasSubstr("has no times")) << command;
  }
  EXPECT_THAT(refusal_of("ab --device emulated:h100"), HasSubstr("--tier all asks for them"));
}

TEST(CommandOptions, WhatAnEmulatedGpuLacksIsRefusedBesideIt) {
  EXPECT_THAT(refusal_of("gate --device emulated:h100 --guard host --gpu-clock 1200"), HasSubstr("has no clock"));
  EXPECT_THAT(refusal_of("run --device emulated:h100 --guard host --gpu-memory-clock 1200"), HasSubstr("has no clock"));
  EXPECT_THAT(refusal_of("ab --tier exact --device emulated:h100 --nodes local:2"), HasSubstr("--nodes names several"));
  EXPECT_THAT(refusal_of("ab --tier exact --device emulated:h100 --seeds 8"), HasSubstr("compute none"));
  EXPECT_EQ(refusal_of("profile a/b/c --device emulated:h100 --phase operator"), "");
  for (const std::string more : {"--prove all", "--schedule none"}) {
    EXPECT_THAT(refusal_of("profile a/b/c --device emulated:h100 " + more), HasSubstr("has no times")) << more;
  }
  EXPECT_THAT(refusal_of("profile a/b/c --device emulated:h100 --base-build b"), HasSubstr("has no times"));
  EXPECT_THAT(refusal_of("profile --trace t.json --device emulated:h100"), HasSubstr("leave out one of them"));
}

}  // namespace
}  // namespace stepgate
