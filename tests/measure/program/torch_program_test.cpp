// Tests a whole perftest program, started as by the launcher and as by a person.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "json/records/run_record_json.h"
#include "measure/device/device_side.h"
#include "system/files/file.h"
#include "system/place_page.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

struct Ended {
  int status = -1;
  std::string output;  ///< stdout, then stderr
};

Ended run_toys(const std::string& arguments) {
  const std::string command = std::string(STEPGATE_TOY_PERFTEST) + " " + arguments + " 2>&1";
  Ended ended;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return ended;
  std::array<char, 4096> chunk{};
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), pipe))
    ended.output.append(chunk.data(), size);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
  return ended;
}

class Program : public testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("stepgate-" + std::to_string(getpid()));
  std::filesystem::path file = folder / "record.json";

  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string flags(const std::string& case_name, const std::string& group) const {
    return "--stepgate_case=" + case_name + " --stepgate_group=" + group + " --stepgate_record=" + file.string();
  }

  RunRecord record(const std::string& case_name, const std::string& group, const std::string& more = "") {
    const Ended ended = run_toys(flags(case_name, group) + " --stepgate_allow_debug " + more);
    EXPECT_EQ(ended.status, 0) << ended.output;
    return run_record_from_text(read_text_file(file), file.string());
  }
};

TEST_F(Program, AnErrorThatCannotBeSaidKeepsItsStatus) {
  EXPECT_EQ(run_toys("--nonsense 2>/dev/full #").status, 2);
  EXPECT_EQ(run_toys("--nonsense 2>&- #").status, 2);
}

TEST_F(Program, HelpSaysWhatItsStatusesMean) {
  EXPECT_THAT(run_toys("--help").output, HasSubstr("77 skipped: no such device."));
}

TEST_F(Program, RepeatsExactWorkOverProcesses) {
  for (const char* name : {"toy/mlp/tiny", "toy/conv/tiny"}) {
    const RunRecord one = record(name, "exact");
    const RunRecord other = record(name, "exact");
    EXPECT_EQ(one.counts->per_step, other.counts->per_step) << name;
    EXPECT_EQ(one.counts->operators, other.counts->operators) << name;
    EXPECT_EQ(one.memory->peak_bytes, other.memory->peak_bytes) << name;
    EXPECT_EQ(one.memory->series.at("resident_bytes"), other.memory->series.at("resident_bytes")) << name;
    EXPECT_EQ(one.numerics->loss_digest, other.numerics->loss_digest) << name;
    EXPECT_EQ(one.numerics->parameter_digest, other.numerics->parameter_digest) << name;
    EXPECT_EQ(one.fingerprint, other.fingerprint) << name;
    EXPECT_THAT(one.counts->per_step.at("operators_per_step"), SizeIs(4));
    EXPECT_EQ(one.fingerprint.at("threads"), "1");
    EXPECT_EQ(one.fingerprint.at("interop_threads"), "1");
    EXPECT_EQ(one.absent.count("kernels_per_step"), 1U);
  }
}

TEST_F(Program, WritesATimedRecordAsAsked) {
  const RunRecord found = record(
      "toy/mlp/tiny", "timed", "--stepgate_replicate=3 --stepgate_seed=5 --stepgate_steps=e2e=10,phase=2,synthetic=5");
  EXPECT_EQ(found.case_name, "toy/mlp/tiny");
  EXPECT_EQ(found.replicate, 3);
  EXPECT_EQ(found.seed, 5U);
  EXPECT_THAT(found.timed.at("e2e").steps, SizeIs(10));
  EXPECT_THAT(found.timed.at("phase").steps, SizeIs(2));
  EXPECT_THAT(found.timed.at("synthetic").steps, SizeIs(5));
  EXPECT_EQ(found.steps.e2e, 10);
  EXPECT_EQ(found.timed.at("e2e").clock, "steady_clock");
  EXPECT_FALSE(found.memory.has_value());
}

TEST_F(Program, RunsTheReferenceCase) {
  const RunRecord found = record("reference/matmul_copy/fixed", "reference");
  EXPECT_EQ(found.group, Group::reference);
  EXPECT_THAT(found.timed, SizeIs(1));
  EXPECT_THAT(found.timed.at("e2e").steps, SizeIs(StepCounts{}.e2e));
  const Ended ended = run_toys(flags("toy/mlp/tiny", "reference"));
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.output, HasSubstr("--stepgate_group=reference does not go with case toy/mlp/tiny"));
}

TEST_F(Program, ListsItsCases) {
  EXPECT_EQ(run_toys("--list").output,
            "toy/mlp/tiny\ntoy/conv/tiny\ntoy/mlp/broken\ntoy/mlp/gpu\nreference/matmul_copy/fixed\n");
  const Ended json = run_toys(
      "--list --json | python3 -c \"import json,sys; c=json.load(sys.stdin)['cases']; "
      "print(len(c), c[0]['name'], c[0]['params']['width'], c[0]['steps']['e2e'], c[3]['device'])\"");
  EXPECT_EQ(json.output, "5 toy/mlp/tiny 64 20 cuda\n");
}

TEST_F(Program, SaysWhatTheWorkloadThrewAndWritesNothing) {
  const Ended ended = run_toys(flags("toy/mlp/broken", "exact") + " --stepgate_allow_debug");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.output, HasSubstr("case toy/mlp/broken, pass counts, boundary forward, step 1: the toy is broken"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Program, NotesWhereItIsInThePageOfItsLauncher) {
  const PlacePage page;
  ASSERT_EQ(::fcntl(page.number(), F_SETFD, 0), 0);
  ::setenv(place_variable, page.value().c_str(), 1);
  run_toys(flags("toy/mlp/broken", "exact") + " --stepgate_allow_debug");
  EXPECT_EQ(text_of(page.places().at(0)), "in pass counts, boundary forward, step 1");
  record("toy/mlp/tiny", "exact");
  EXPECT_EQ(text_of(page.places().at(0)), "after its last pass");
  ::unsetenv(place_variable);
}

TEST_F(Program, RefusesWhatItDoesNotUnderstand) {
  const Ended flag = run_toys("--stepgate_sed=1");
  EXPECT_EQ(flag.status, 2);
  EXPECT_THAT(flag.output, HasSubstr("--stepgate_sed"));
  const Ended benchmark_flag = run_toys("--benchmark_filtre=x");
  EXPECT_EQ(benchmark_flag.status, 2);
  EXPECT_THAT(benchmark_flag.output, HasSubstr("--benchmark_filtre=x"));
  const Ended name = run_toys(flags("toy/mlp/tinny", "exact") + " --stepgate_allow_debug");
  EXPECT_EQ(name.status, 2);
  EXPECT_THAT(name.output, HasSubstr("did you mean toy/mlp/tiny?"));
  const Ended steps = run_toys(flags("toy/mlp/tiny", "exact") + " --stepgate_allow_debug --stepgate_steps=counts=0");
  EXPECT_EQ(steps.status, 2);
  EXPECT_THAT(steps.output, HasSubstr("counts=0"));
}

TEST_F(Program, SkipsWithoutTheDevice) {
  try {
    open_device("cuda");
    GTEST_SKIP() << "this machine has a GPU";
  } catch (const DeviceMissing&) {
  }
  const Ended ended = run_toys(flags("toy/mlp/gpu", "exact") + " --stepgate_allow_debug");
  EXPECT_EQ(ended.status, 77) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("--stepgate_device=cuda"));
  EXPECT_THAT(ended.output, HasSubstr("next: "));
}

TEST_F(Program, IsAGoogleBenchmarkProgramByHand) {
  const Ended list = run_toys("--benchmark_list_tests --benchmark_filter=toy/mlp/tiny");
  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(list.output, HasSubstr("toy/mlp/tiny/e2e/iterations:20/repeats:1/manual_time\n"));
  EXPECT_THAT(list.output, Not(HasSubstr("conv")));
  EXPECT_THAT(list.output, Not(HasSubstr("/profile")));
  const Ended run = run_toys(
      "--benchmark_filter=toy/mlp/tiny/\\(phase\\|counts\\) --benchmark_format=json 2>/dev/null | "
      "python3 -c \"import json,sys; b=json.load(sys.stdin)['benchmarks']; "
      "print([(x['iterations'], x['real_time']>0) for x in b], b[1]['h2d_copies_per_step'])\"");
  EXPECT_EQ(run.output, "[(6, True), (4, False)] 2.0\n");
}

#ifndef NDEBUG
TEST_F(Program, RefusesToMeasureADebugBuild) {
  const Ended ended = run_toys(flags("toy/mlp/tiny", "exact"));
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.output, HasSubstr("a debug build cannot be measured"));
}
#endif

}  // namespace
}  // namespace stepgate
