// The phases of a profile in their order, and what ends them.
#include "experiment/studies/profiled/run_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/plan/measurement_files.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* logged = R"sh(
echo "$group $replicate$param" >> "$here/log"
)sh";

/// A build whose timed processes have steps, and whose profile processes have blocks of the unchanged step.
class ProfiledBuild : public FakeBuild {
 public:
  explicit ProfiledBuild(const std::string& body = "good") : FakeBuild(logged + body) {
    for (std::int64_t replicate = 0; replicate < 5; ++replicate) write_steps(replicate, true);
  }

  void write_steps(std::int64_t replicate, bool steady) const {
    RunRecord record = valid_record(Group::timed, replicate);
    TimedPass& e2e = record.timed.at("e2e");
    e2e.clock = "steady_clock";
    e2e.windows.clear();
    for (std::int64_t step = 0; step < 40; ++step) {
      e2e.steps.push_back({.wall_ns = 10'000'000 + 1'000 * (step % 7), .samples = 8});
    }
    e2e.windows = {{.wall_ns = 400'000'000, .steps = 40}};
    record.warmup->steady = steady;
    if (!steady) record.warmup->reasons = {"it still became faster after 400 steps"};
    write_record(record);
  }

  std::string log() const { return program().text_of("log"); }
  ProfileOptions options() const { return {.case_name = fake_case, .host = host()}; }
  ProfileResult profile(const ProfileOptions& options) const {
    Listener listener;
    return run_profile(project(), options, listener.caller());
  }
};

TEST(Profile, RunsItsPhasesInOrder) {
  const ProfiledBuild build;
  const ProfileResult result = build.profile(build.options());
  EXPECT_THAT(build.log(), StartsWith("exact 0\ntimed 0\ntimed 1\ntimed 2\n"
                                      "timed 0 batch_size=16\ntimed 1 batch_size=16\n"));
  EXPECT_THAT(build.log(), HasSubstr("profile 0\nprofile 1\nprofile 2\nprofile 3"));
  const Profile& profile = result.profile;
  EXPECT_EQ(profile.stopped, "");
  EXPECT_EQ(profile.case_name, fake_case);
  EXPECT_EQ(profile.processes, build.processes());
  EXPECT_EQ(profile.step.steps, 120);
  EXPECT_NEAR(profile.step.median_ns, 1e7, 1e4);
  EXPECT_THAT(profile.experiments, SizeIs(experiment_table.size()));
  const ExperimentResult& batch = profile.experiments[static_cast<std::size_t>(Experiment::doubled_batch)];
  ASSERT_TRUE(batch.effect) << batch.absent;
  EXPECT_NEAR(*batch.effect, 1, 1e-3) << "the fake program takes as long for twice the batch";
  for (const char* folder : {"exact", "baseline", "doubled-batch", "profile"}) {
    EXPECT_TRUE(fs::exists(profile_folder(build.project(), fake_case) / folder / "measurement.json")) << folder;
  }
}

/// One process still observes the operators, and nothing is concluded from times.
TEST(Profile, AnUnsteadyBaselineLeavesWhatNeedsNoQuietMachine) {
  const ProfiledBuild build;
  for (std::int64_t replicate = 0; replicate < 3; ++replicate) build.write_steps(replicate, false);
  RunRecord observed = valid_record(Group::profile, 0);
  observed.profile->observed.emplace().steps = 1;
  observed.profile->observed->sites = {{.boundary = "forward", .name = "aten::mm", .calls = 1, .self_ns = 1000}};
  build.write_record(observed);
  const Profile profile = build.profile(build.options()).profile;
  EXPECT_THAT(profile.stopped, AllOf(HasSubstr("it still became faster"), HasSubstr("Next: stepgate doctor")));
  EXPECT_EQ(build.processes(), 5);
  EXPECT_THAT(build.log(), testing::EndsWith("timed 2\nprofile 0"));
  EXPECT_THAT(profile.experiments, IsEmpty());
  ASSERT_THAT(profile.operators, SizeIs(1));
  EXPECT_EQ(profile.operators[0].site.name, "aten::mm");
  EXPECT_FALSE(profile.checklist.empty());
}

TEST(Profile, ABusyMachineHidesNoOperator) {
  const ProfiledBuild build(R"sh(
for i in $(seq 300); do /bin/true; done
good)sh");
  RunRecord observed = valid_record(Group::profile, 0);
  observed.profile->observed.emplace().steps = 1;
  observed.profile->observed->sites = {{.boundary = "forward", .name = "aten::mm", .calls = 1, .self_ns = 1000}};
  build.write_record(observed);
  Policy policy;
  policy.taint_limits[EvidenceKey::minor_faults] = 8000;
  build.write_policy(policy);
  const ProfileResult result = build.profile(build.options());
  EXPECT_THAT(result.profile.stopped, HasSubstr("has no clean process"));
  EXPECT_THAT(result.profile.operators, SizeIs(1));
  EXPECT_THAT(result.observed, SizeIs(1)) << "for the stacks";
  EXPECT_EQ(result.profile.absent.count("times of operators"), 1u);
}

TEST(Profile, RunsTheCaseWithTheParametersThatAreGiven) {
  const ProfiledBuild build;
  ProfileOptions options = build.options();
  options.params = {{"batch_size", "32"}};
  const Profile profile = build.profile(options).profile;
  EXPECT_THAT(build.log(), StartsWith("exact 0 batch_size=32\ntimed 0 batch_size=32\n"));
  EXPECT_THAT(build.log(), HasSubstr("timed 0 batch_size=64\n")) << "twice what was given";
  EXPECT_EQ(profile.params, options.params);
  options.params = {{"bach_size", "32"}};
  try {
    build.profile(options);
    FAIL() << "a parameter that no code reads was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("--param bach_size: fake/case/tiny does not declare it"));
  }
}

TEST(Profile, AFailedProcessOfTheBaselineEndsIt) {
  const ProfiledBuild build("[ $group = timed ] && echo 'out of memory' && exit 3\ngood");
  const Profile profile = build.profile(build.options()).profile;
  EXPECT_THAT(profile.stopped, AllOf(HasSubstr("process 0 of group timed failed"), HasSubstr("out of memory"),
                                     HasSubstr("Next: stepgate run fake/case/tiny --tier timed")));
  EXPECT_EQ(build.processes(), 2);
}

TEST(Profile, ACrashMidwayKeepsWhatTheOthersMeasured) {
  const ProfiledBuild build("[ $group = profile ] && [ $replicate = 2 ] && kill -9 $$\ngood");
  const Profile profile = build.profile(build.options()).profile;
  EXPECT_EQ(profile.stopped, "");
  ASSERT_TRUE(profile.absent.contains("further processes"));
  EXPECT_THAT(profile.absent.at("further processes"), HasSubstr("process 2 of group profile failed"));

  const ProfiledBuild at_once("[ $group = profile ] && kill -9 $$\ngood");
  const Profile stopped = at_once.profile(at_once.options()).profile;
  EXPECT_THAT(stopped.stopped, AllOf(HasSubstr("process 0 of group profile failed"), HasSubstr("before it stand")));
  EXPECT_EQ(stopped.step.steps, 120);
}

TEST(Profile, ADoubledBatchThatCrashesIsNoEffect) {
  const ProfiledBuild build("case $param in *=16) exit 3 ;; esac\ngood");
  const Profile profile = build.profile(build.options()).profile;
  const ExperimentResult& batch = profile.experiments[static_cast<std::size_t>(Experiment::doubled_batch)];
  EXPECT_FALSE(batch.effect);
  EXPECT_THAT(batch.absent, HasSubstr("process 0 of group timed failed"));
  EXPECT_THAT(build.log(), HasSubstr("profile 3"));
}

TEST(Profile, AnInterruptionKeepsWhatWasMeasured) {
  const ProfiledBuild build;
  Listener listener(build, 5);
  const Profile profile = run_profile(build.project(), build.options(), listener.caller()).profile;
  EXPECT_TRUE(profile.interrupted);
  EXPECT_EQ(profile.stopped, "");
  EXPECT_EQ(profile.step.steps, 120);
  EXPECT_THAT(build.log(), Not(HasSubstr("profile")));
  EXPECT_EQ(
      read_measurement(profile_folder(build.project(), fake_case) / "baseline/measurement.json").replicates.size(), 3u);
}

TEST(Profile, GoesAsFarAsAskedFor) {
  const ProfiledBuild build;
  ProfileOptions options = build.options();
  options.phase = ProfilePhase::baseline;
  const Profile profile = build.profile(options).profile;
  EXPECT_EQ(build.processes(), 4);
  EXPECT_EQ(profile.stopped, "");
  EXPECT_EQ(profile.absent.at("operators"), "not asked for: --phase");
}

TEST(Profile, TheChecklistKnowsTheBudgetOfThePolicy) {
  const ProfiledBuild build;
  RunRecord counted = valid_record(Group::exact, 0);
  MemoryProfile& memory = counted.memory.emplace();
  memory.series = {{"resident_bytes", {1 << 20}}, {"peak_allocated_bytes", {9 << 20}}};
  memory.peak_bytes = {9 << 20};
  MemoryLedger& ledger = memory.ledger.emplace();
  ledger.peak_bytes = 9 << 20;
  ledger.boundary = "backward";
  build.write_record(counted);
  Policy policy;
  policy.budgets["peak_allocated_bytes"] = 8 << 20;
  build.write_policy(policy);
  const Profile profile = build.profile(build.options()).profile;
  const auto budget = std::ranges::find(profile.checklist, "budget", &ChecklistEntry::id);
  ASSERT_NE(budget, profile.checklist.end()) << profile.stopped;
  EXPECT_EQ(budget->answer, Answer::warning) << budget->evidence;
}

TEST(Profile, WithoutProofItOnlyObserves) {
  const ProfiledBuild build;
  ProfileOptions options = build.options();
  options.proving = Proving::off;
  const Profile profile = build.profile(options).profile;
  EXPECT_EQ(build.processes(), 6);
  EXPECT_EQ(profile.experiments.front().absent, "not asked for: --prove off");
  const auto measurement = read_measurement(profile_folder(build.project(), fake_case) / "profile/measurement.json");
  EXPECT_THAT(measurement.replicates.front().command, testing::Contains("--stepgate_profile=observe"));
}

/// 4095 of them for loader workers: with a second thread the case needs one more than it declares.
TEST(Profile, DoubledThreadsTakeNoCpusFromTheLoader) {
  const ProfiledBuild build;
  std::string manifest = build.program().text_of("stepgate-manifest.json");
  const std::string device = R"("device": "cpu")";
  manifest.replace(manifest.find(device), device.size(), device + R"(, "cpus": 4096)");
  build.program().folder().write("stepgate-manifest.json", manifest);
  const Profile profile = build.profile(build.options()).profile;
  const ExperimentResult& threads = profile.experiments[static_cast<std::size_t>(Experiment::doubled_threads)];
  EXPECT_FALSE(threads.effect);
  EXPECT_THAT(threads.absent, StartsWith("with 2 threads the case needs 4097 CPUs"));
}

/// Four processes whose gains scatter so much that four more would decide. A busy core plainly costs nothing.
void write_scattered_gains(const FakeBuild& build) {
  const std::vector<double> ratios = {0.8, 0.9, 0.7, 0.95};
  for (std::size_t process = 0; process < ratios.size(); ++process) {
    RunRecord record = valid_record(Group::profile, static_cast<std::int64_t>(process));
    record.profile->blocks.clear();
    for (std::int64_t round = 0; round < 3; ++round) {
      for (const char* variant : {"baseline", "busy-core"}) {
        record.profile->blocks.push_back({.variant = variant, .round = round, .wall_ns = 1'000'000, .steps = 10});
      }
      record.profile->blocks.push_back({.variant = "optimizer-skipped",
                                        .round = round,
                                        .wall_ns = std::llround(1'000'000 * ratios[process]),
                                        .steps = 10});
    }
    build.write_record(record);
  }
}

/// The further ones fault too many pages. A profile that never ends fails at last.
TEST(Profile, EndsWhereAllFurtherProcessesAreDiscarded) {
  const ProfiledBuild build(R"sh(
[ $(wc -l < "$here/log") -gt 60 ] && exit 3
case $record in */profile-[0-9]*/*) for i in $(seq 300); do /bin/true; done ;; esac
good)sh");
  write_scattered_gains(build);
  Policy policy;
  policy.taint_limits[EvidenceKey::minor_faults] = 8000;
  build.write_policy(policy);
  ProfileOptions options = build.options();
  options.proving = Proving::all;
  const Profile profile = build.profile(options).profile;
  const ExperimentResult& skipped = profile.experiments[static_cast<std::size_t>(Experiment::optimizer_skipped)];
  EXPECT_EQ(skipped.proof, Proof::undecided);
  EXPECT_EQ(skipped.processes, 4);
  const auto command_in = [&](const char* folder) {
    return read_measurement(profile_folder(build.project(), fake_case) / folder / "measurement.json")
        .replicates.front()
        .command;
  };
  EXPECT_THAT(command_in("profile"), testing::Contains("--stepgate_profile=all"));
  EXPECT_THAT(command_in("profile"), Not(testing::Contains(StartsWith("--stepgate_experiments"))));
  EXPECT_THAT(command_in("profile-4"), testing::Contains("--stepgate_profile=experiments"));
  EXPECT_THAT(command_in("profile-4"), testing::Contains("--stepgate_experiments=optimizer-skipped"))
      << "what is decided needs no further process";
  EXPECT_FALSE(profile.absent.contains("further processes")) << "it was given up only when processes failed";
}

TEST(Profile, ProgressCountsTheWholeProfile) {
  const ProfiledBuild build;
  Listener listener;
  run_profile(build.project(), build.options(), listener.caller());
  EXPECT_EQ(listener.progress().front().started, 0);
  EXPECT_EQ(listener.progress().back().started + 1, listener.progress().back().planned);
  EXPECT_EQ(listener.progress().back().started + 1, build.processes());
}

}  // namespace
}  // namespace stepgate
