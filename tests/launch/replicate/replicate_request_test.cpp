#include "launch/replicate/replicate_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

LaunchRequest launch_request() {
  LaunchRequest launch;
  launch.case_name = "mine/mlp/tiny";
  launch.program = "/b/perf_mlp";
  launch.out_dir = "/out";
  launch.plan.seed = 7;
  launch.plan.threads = 3;
  return launch;
}

TEST(PerftestCommand, NamesEverythingThatTheProgramNeeds) {
  const LaunchRequest launch = launch_request();
  const CpuChoice cpus;
  EXPECT_THAT(perftest_command({.launch = launch, .cpus = cpus, .group = Group::timed, .index = 4, .attempt = 1}),
              ElementsAre("/b/perf_mlp", "--stepgate_case=mine/mlp/tiny", "--stepgate_group=timed",
                          "--stepgate_record=/out/timed-04-1.record.json", "--stepgate_seed=7",
                          "--stepgate_replicate=4", "--stepgate_threads=3", "--stepgate_device=cpu"));
}

TEST(PerftestCommand, ExactRunsOneThread) {
  const LaunchRequest launch = launch_request();
  const CpuChoice cpus;
  EXPECT_THAT(perftest_command({.launch = launch, .cpus = cpus, .group = Group::exact}),
              Contains("--stepgate_threads=1"));
}

TEST(PerftestCommand, PassesDataAndStepsWhereTheyAreGiven) {
  LaunchRequest launch = launch_request();
  launch.data_dir = "/data";
  launch.plan.steps = {{"e2e", 20}, {"window", 5}};
  const CpuChoice cpus;
  const auto command = perftest_command({.launch = launch, .cpus = cpus, .group = Group::timed});
  EXPECT_THAT(command, Contains("--stepgate_data=/data"));
  EXPECT_THAT(command, Contains("--stepgate_steps=e2e=20,window=5")) << "the case sets its own counts";
}

TEST(PerftestCommand, ARateOfRequestsIsForTimedProcessesAlone) {
  LaunchRequest launch = launch_request();
  launch.plan.params = {{"batch_size", "8"}, {"request_rate_per_s", "120"}};
  const CpuChoice cpus;
  const auto timed = perftest_command({.launch = launch, .cpus = cpus, .group = Group::timed});
  EXPECT_THAT(timed, Contains("--stepgate_param=request_rate_per_s=120"));
  EXPECT_THAT(timed, Contains("--stepgate_param=batch_size=8"));
  const auto exact = perftest_command({.launch = launch, .cpus = cpus, .group = Group::exact});
  EXPECT_THAT(exact, Not(Contains(StartsWith("--stepgate_param=request_rate_per_s"))));
  EXPECT_THAT(exact, Contains("--stepgate_param=batch_size=8"));
}

TEST(PerftestCommand, TheReferenceStaysFixed) {
  LaunchRequest launch = launch_request();
  launch.data_dir = "/data";
  launch.plan.steps = {{"e2e", 20}};
  const CpuChoice cpus;
  const auto command = perftest_command({.launch = launch, .cpus = cpus, .group = Group::reference});
  EXPECT_THAT(command, Contains("--stepgate_case=reference/matmul_copy/fixed"));
  EXPECT_THAT(command, Not(Contains(StartsWith("--stepgate_steps"))));
  EXPECT_THAT(command, Not(Contains(StartsWith("--stepgate_data"))));
}

TEST(PerftestCommand, TellsAProcessOfGroupProfileWhatToRun) {
  LaunchRequest launch = launch_request();
  launch.profile_parts = ProfileParts::observe;
  launch.trace_schedule = "skip=3,active=5";
  const CpuChoice cpus;
  const auto command = perftest_command({.launch = launch, .cpus = cpus, .group = Group::profile, .index = 1});
  EXPECT_THAT(command, Contains("--stepgate_group=profile"));
  EXPECT_THAT(command, Contains("--stepgate_profile=observe"));
  EXPECT_THAT(command, Contains("--stepgate_trace=/out/profile-01-0.trace.json.gz"));
  EXPECT_THAT(command, Contains("--stepgate_trace_schedule=skip=3,active=5"));
  EXPECT_THAT(command, Not(Contains(StartsWith("--stepgate_experiments")))) << "all that the step allows";
  launch.experiments = {Experiment::synthetic_batch, Experiment::logging_off};
  EXPECT_THAT(perftest_command({.launch = launch, .cpus = cpus, .group = Group::profile}),
              Contains("--stepgate_experiments=synthetic-batch,logging-off"));
  launch.repeats = {{.name = "net.cpp:5", .offsets = {0x1f, 0xa0}}};
  EXPECT_THAT(perftest_command({.launch = launch, .cpus = cpus, .group = Group::profile}),
              Contains("--stepgate_repeat=net.cpp:5=1f,a0"));
  EXPECT_THAT(perftest_command({.launch = launch, .cpus = cpus, .group = Group::timed}),
              Not(Contains(StartsWith("--stepgate_profile"))))
      << "no process that is gated knows of a profile";
}

TEST(PerftestCommand, IsEquallyLongForEachReplicate) {
  const LaunchRequest launch = launch_request();
  const CpuChoice cpus;
  const ReplicateRequest first{.launch = launch, .cpus = cpus, .group = Group::timed, .index = 0};
  const ReplicateRequest late{.launch = launch, .cpus = cpus, .group = Group::timed, .index = 15, .attempt = 2};
  EXPECT_EQ(record_path(first).string().size(), record_path(late).string().size());
  EXPECT_NE(record_path(first), record_path(late));
  EXPECT_NE(record_path(first), output_path(first));
}

TEST(PerftestCommand, AsksForTheEmulatedGpu) {
  LaunchRequest launch = launch_request();
  const CpuChoice cpus;
  const ReplicateRequest request{.launch = launch, .cpus = cpus, .group = Group::exact};
  EXPECT_THAT(perftest_command(request), Not(Contains("--stepgate_emulated")));
  launch.emulated = EmulatedGpu{.device = {"h100", 1}, .folder = "/b/emulated_gpu", .settings = {}};
  EXPECT_THAT(perftest_command(request), Contains("--stepgate_emulated"));
}

}  // namespace
}  // namespace stepgate
