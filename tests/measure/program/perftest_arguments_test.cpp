#include "measure/program/perftest_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/step/step_counts_text.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Message and remedy of the refusal of the arguments.
std::string refusal(const std::vector<std::string>& arguments) {
  try {
    parse_perftest_arguments(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "accepted";
}

TEST(PerftestArguments, ReadsWhatTheLauncherSends) {
  const PerftestArguments arguments = parse_perftest_arguments(
      {"--stepgate_case=a/b/c", "--stepgate_group=exact", "--stepgate_record=/tmp/r.json",
       "--stepgate_seed=18446744073709551615", "--stepgate_replicate=3", "--stepgate_threads=2",
       "--stepgate_device=cuda", "--stepgate_data=/d", "--stepgate_steps=e2e=20,window=5"});
  EXPECT_EQ(arguments.mode, PerftestMode::record);
  EXPECT_EQ(arguments.case_name, "a/b/c");
  EXPECT_EQ(arguments.group, Group::exact);
  EXPECT_EQ(arguments.record, "/tmp/r.json");
  EXPECT_EQ(arguments.seed, 18446744073709551615U);
  EXPECT_EQ(arguments.replicate, 3);
  EXPECT_EQ(arguments.threads, 2);
  EXPECT_EQ(arguments.device, "cuda");
  EXPECT_EQ(arguments.data_dir, "/d");
  EXPECT_EQ(arguments.steps, (NamedSteps{{"e2e", 20}, {"window", 5}}));
}

TEST(PerftestArguments, ReadsThePlacesThatRunTwice) {
  const PerftestArguments arguments =
      parse_perftest_arguments({"--stepgate_repeat=net.cpp:5=1f,a0", "--stepgate_repeat=operator===ff"});
  EXPECT_THAT(arguments.repeats,
              ElementsAre(RepeatedPlace{"net.cpp:5", {0x1f, 0xa0}}, RepeatedPlace{"operator==", {0xff}}));
  for (const char* wrong : {"net.cpp:5", "=1f", "net.cpp:5=", "net.cpp:5=1f,", "net.cpp:5=-1", "net.cpp:5=1g",
                            "net.cpp:5=fffffffffffffffff"}) {
    EXPECT_THAT(refusal({std::string("--stepgate_repeat=") + wrong}), HasSubstr("in hexadecimal")) << wrong;
  }
  EXPECT_THAT(refusal({"--stepgate_repeat=a=1", "--stepgate_repeat=a=2"}),
              HasSubstr("--stepgate_repeat=a is given twice"));
}

TEST(PerftestArguments, ReadsTheExperimentsThatRunAlone) {
  EXPECT_THAT(parse_perftest_arguments({"--stepgate_experiments=logging-off,busy-core"}).experiments,
              ElementsAre(Experiment::logging_off, Experiment::busy_core));
  EXPECT_THAT(parse_perftest_arguments({}).experiments, testing::IsEmpty());
  for (const char* wrong : {"", "logging", "logging-off,", "doubled-batch"}) {
    EXPECT_THAT(refusal({std::string("--stepgate_experiments=") + wrong}), HasSubstr("experiments of the blocks"))
        << wrong;
  }
}

TEST(PerftestArguments, ReadsWhatARankIsStartedWith) {
  const std::vector<std::string> given = {
      "--stepgate_case=a/b/c",  "--stepgate_group=exact",           "--stepgate_record=/tmp/r.json",
      "--stepgate_rank=1",      "--stepgate_rendezvous=/tmp/ranks", "--stepgate_rank_sockets=7,12",
      "--stepgate_rank_alarm=3"};
  const PerftestArguments arguments = parse_perftest_arguments(given);
  EXPECT_EQ(arguments.rank, 1);
  EXPECT_EQ(arguments.rendezvous, "/tmp/ranks");
  EXPECT_THAT(arguments.rank_sockets, ElementsAre(7, 12));
  EXPECT_EQ(arguments.rank_alarm, 3);
  EXPECT_EQ(arguments.given, given);
  EXPECT_FALSE(parse_perftest_arguments({}).rank.has_value());
  EXPECT_THAT(refusal({"--stepgate_case=a/b/c", "--stepgate_group=timed", "--stepgate_record=r", "--stepgate_rank=1"}),
              HasSubstr("--stepgate_rank alone starts no rank"));
  EXPECT_THAT(refusal({"--stepgate_rank_sockets=7,"}), HasSubstr("--stepgate_rank_sockets=: not a whole number"));
}

TEST(PerftestArguments, IsAGoogleBenchmarkProgramByHand) {
  const PerftestArguments arguments = parse_perftest_arguments({"--benchmark_filter=mlp", "--stepgate_threads=2"});
  EXPECT_EQ(arguments.mode, PerftestMode::by_hand);
  EXPECT_THAT(arguments.benchmark_arguments, ElementsAre("--benchmark_filter=mlp"));
  EXPECT_EQ(parse_perftest_arguments({}).mode, PerftestMode::by_hand);
  EXPECT_EQ(parse_perftest_arguments({"--list"}).mode, PerftestMode::list);
  EXPECT_EQ(parse_perftest_arguments({"--json", "--list"}).mode, PerftestMode::list_json);
}

TEST(PerftestArguments, NamesTheFlagThatIsWrong) {
  EXPECT_THAT(refusal({"--stepgate_treads=2"}),
              HasSubstr("unknown flag --stepgate_treads | did you mean --stepgate_threads"));
  EXPECT_THAT(refusal({"--verbose"}), HasSubstr("unknown flag --verbose"));
  EXPECT_THAT(refusal({"mlp"}), HasSubstr("unknown flag mlp"));
  EXPECT_THAT(refusal({"--stepgate_threads=0"}), HasSubstr("--stepgate_threads=0: not a whole number from 1"));
  EXPECT_THAT(refusal({"--stepgate_seed=-1"}), HasSubstr("--stepgate_seed=-1"));
  EXPECT_THAT(refusal({"--stepgate_seed=1x"}), HasSubstr("--stepgate_seed=1x"));
  EXPECT_THAT(refusal({"--stepgate_group=fast"}),
              HasSubstr("--stepgate_group=fast: not timed, exact, reference or profile"));
  EXPECT_THAT(refusal({"--stepgate_device=tpu"}), HasSubstr("--stepgate_device=tpu: not cpu or cuda"));
  EXPECT_THAT(refusal({"--stepgate_data"}), HasSubstr("--stepgate_data needs a value"));
  EXPECT_THAT(refusal({"--stepgate_seed=1", "--stepgate_seed=2"}), HasSubstr("--stepgate_seed is given twice"));
  EXPECT_THAT(refusal({"--json"}), HasSubstr("--json goes with --list only"));
  EXPECT_THAT(refusal({"--stepgate_steps=e2e=0"}), HasSubstr("--stepgate_steps: e2e=0 is too few"));
}

TEST(PerftestArguments, NeedsAllThreeFlagsOfARecord) {
  EXPECT_THAT(refusal({"--stepgate_case=a/b/c", "--stepgate_group=exact"}), HasSubstr("--stepgate_record is missing"));
  EXPECT_THAT(refusal({"--stepgate_record=r", "--stepgate_group=exact"}), HasSubstr("--stepgate_case is missing"));
  EXPECT_THAT(
      refusal({"--stepgate_case=a/b/c", "--stepgate_group=exact", "--stepgate_record=r", "--benchmark_filter=x"}),
      HasSubstr("--benchmark_filter=x does not go with --stepgate_record"));
}

TEST(StepCountsText, OverridesOnlyWhatIsNamed) {
  StepCounts expected;
  expected.e2e = 20;
  expected.exact_warmup = 0;
  EXPECT_EQ(override_steps({}, {{"e2e", 20}, {"exact_warmup", 0}}), expected);
  EXPECT_EQ(override_steps({}, {}), StepCounts{});
}

TEST(StepCountsText, RefusesACaseWithoutSteps) {
  EXPECT_NO_THROW(require_sensible({.exact_warmup = 0}, "a/b/c"));
  EXPECT_THROW(require_sensible({.e2e = 0}, "a/b/c"), Error);
}

TEST(StepCountsText, NamesWhatEachGroupDependsOn) {
  EXPECT_EQ(steps_text({}, Group::exact), "counts=8,memory=12,numerics=21,exact_warmup=3");
  EXPECT_EQ(steps_text({}, Group::timed), "e2e=60,window=10,phase=30,synthetic=30,loader=40,h2d=7,logging=80");
  EXPECT_EQ(steps_text({}, Group::reference), steps_text({}, Group::timed));
}

TEST(PerftestHelp, NamesTheBenchmarkOfEachPass) {
  const std::string help = perftest_help("prog");
  for (const PassRow& row : pass_table) {
    if (row.group == Group::profile) continue;
    EXPECT_THAT(help, HasSubstr("/" + std::string(row.name)));
  }
  EXPECT_THAT(help, HasSubstr("<case>/e2e, /requests, /open_requests, /phase, "));
  EXPECT_THAT(help, HasSubstr(" (timed) and /counts, "));
  EXPECT_THAT(help, HasSubstr("/instructions, /checkpoint_bytes (exact, no times)"));
}

TEST(PerftestArguments, AnEmulatedGpuIsAFlagWithoutAValue) {
  EXPECT_FALSE(parse_perftest_arguments({}).emulated);
  EXPECT_TRUE(parse_perftest_arguments({"--stepgate_emulated"}).emulated);
  EXPECT_THAT(refusal({"--stepgate_emulated=h100"}), HasSubstr("unknown flag"));
  EXPECT_THAT(perftest_help("p"), testing::Not(HasSubstr("--stepgate_emulated"))) << "the launcher alone gives it";
}

}  // namespace
}  // namespace stepgate
