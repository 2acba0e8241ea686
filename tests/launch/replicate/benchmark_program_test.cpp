#include "launch/replicate/benchmark_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "support/fake_program.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;

class BenchmarkProgram : public testing::Test {
 protected:
  BenchmarkProgram() {
    launch_.case_name = "micro/sort/n1024";
    launch_.program = "/b/sort";
    launch_.benchmark = "BM_Sort/1024";
    launch_.out_dir = "/out";
    output_.executable = "/b/sort";
    output_.library_build_type = "debug";
    BenchmarkEntry entry;
    entry.name = launch_.benchmark;
    entry.iterations = 1000;
    entry.real_time_ns = 2500;
    entry.cpu_time_ns = 2000;
    output_.entries = {entry};
  }

  ReplicateRequest request() const { return {.launch = launch_, .cpus = cpus_, .group = Group::timed, .index = 3}; }

  void refuses(FailureKind kind, const std::string& part) const {
    const BenchmarkReading reading = read_benchmark(output_, request());
    EXPECT_FALSE(reading.record);
    ASSERT_TRUE(reading.failure);
    EXPECT_EQ(reading.failure->kind, kind);
    EXPECT_THAT(reading.failure->message, AllOf(HasSubstr("BM_Sort/1024"), HasSubstr(part)));
  }

  LaunchRequest launch_;
  CpuChoice cpus_;
  BenchmarkOutput output_;
};

TEST_F(BenchmarkProgram, IsAskedForOneBenchmarkOnce) {
  EXPECT_THAT(
      benchmark_command(request()),
      ElementsAre("/b/sort", "--benchmark_filter=^BM_Sort/1024$", "--benchmark_out=/out/timed-03-0.benchmark.json",
                  "--benchmark_out_format=json", "--benchmark_repetitions=1", "--benchmark_format=console"));
}

TEST_F(BenchmarkProgram, TheFilterMatchesTheNameAndNothingElse) {
  for (const std::string name : {"BM_Sort/1024", "BM_Copy<int[4], (a|b)*>/x:1.5/$", "a\\b{2}+?^"}) {
    for (const auto grammar : {std::regex::ECMAScript, std::regex::extended}) {
      const std::regex filter(exact_filter(name), grammar);
      EXPECT_TRUE(std::regex_search(name, filter)) << name;
      EXPECT_FALSE(std::regex_search(name + "0", filter)) << name;
      EXPECT_FALSE(std::regex_search("x" + name, filter)) << name;
    }
  }
  EXPECT_FALSE(std::regex_search("BM_x1y", std::regex(exact_filter("BM_x.y"))));
}

TEST_F(BenchmarkProgram, TheReferenceIsAPerftestOfItsOwn) {
  launch_.reference_program = "/b/perftests";
  ReplicateRequest reference = request();
  reference.group = Group::reference;
  EXPECT_TRUE(runs_plain_benchmark(request()));
  EXPECT_FALSE(runs_plain_benchmark(reference));
  EXPECT_EQ(program_of(reference), "/b/perftests");
  EXPECT_EQ(perftest_command(reference).at(0), "/b/perftests");
  EXPECT_EQ(program_of(request()), "/b/sort");
}

TEST_F(BenchmarkProgram, ARunIsAWindowOfAsManyStepsAsIterations) {
  const BenchmarkReading reading = read_benchmark(output_, request());
  ASSERT_TRUE(reading.record) << reading.failure->message;
  const RunRecord& record = *reading.record;
  EXPECT_EQ(record.case_name, "micro/sort/n1024");
  EXPECT_EQ(record.replicate, 3);
  EXPECT_EQ(record.seed, launch_.plan.seed);
  const TimedPass& pass = record.timed.at("e2e");
  EXPECT_NE(pass.clock, "steady_clock") << "its windows count, it has no single steps";
  ASSERT_EQ(pass.windows.size(), 1u);
  EXPECT_EQ(pass.windows[0].wall_ns, 2'500'000) << "real time, not CPU time";
  EXPECT_EQ(pass.windows[0].steps, 1000);
  EXPECT_FALSE(pass.windows[0].samples);
  EXPECT_FALSE(record.warmup);
  EXPECT_THAT(record.absent, Contains(Key("first_step_ns")));
  EXPECT_EQ(record.fingerprint.at("case_params"), "benchmark=BM_Sort/1024");
  EXPECT_EQ(record.fingerprint.at("benchmark_build_type"), "debug");
  EXPECT_THAT(record.fingerprint, Not(Contains(Key("benchmark_version"))));
}

TEST_F(BenchmarkProgram, ItemsAreCountedOnTheClockThatTheyWereDividedBy) {
  output_.entries[0].items_per_s = 4e6;
  EXPECT_EQ(read_benchmark(output_, request()).record->timed.at("e2e").windows[0].samples, 8000)
      << "4 items per us of 2 us CPU time x 1000";
  launch_.benchmark = output_.entries[0].name = "BM_Sort/1024/real_time";
  EXPECT_EQ(read_benchmark(output_, request()).record->timed.at("e2e").windows[0].samples, 10000);
}

TEST_F(BenchmarkProgram, RepetitionsAreWindowsOfOneReplicate) {
  output_.entries.push_back(output_.entries[0]);
  output_.entries[1].repetition = 1;
  output_.entries[1].real_time_ns = 3000;
  const auto record = read_benchmark(output_, request()).record;
  ASSERT_TRUE(record);
  const auto& windows = record->timed.at("e2e").windows;
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[1].first_step, 1000);
  EXPECT_EQ(windows[1].wall_ns, 3'000'000);
}

TEST_F(BenchmarkProgram, IgnoresOtherBenchmarks) {
  output_.entries.push_back(output_.entries[0]);
  output_.entries[1].name = "BM_Other";
  output_.entries[1].error = "broken";
  EXPECT_EQ(read_benchmark(output_, request()).record->timed.at("e2e").windows.size(), 1u);
}

TEST_F(BenchmarkProgram, RefusesWhatWasNotTimed) {
  output_.entries[0].error = "no data";
  refuses(FailureKind::bad_record, "ended with an error: no data");
  output_.entries[0].error.reset();
  output_.entries[0].skipped = "needs AVX-512";
  refuses(FailureKind::unavailable, "needs AVX-512");
  output_.entries[0].skipped.reset();
  output_.entries[0].real_time_ns = 0;
  refuses(FailureKind::bad_record, "nothing was timed");
  output_.entries[0].real_time_ns.reset();
  refuses(FailureKind::bad_record, "iterations of nan ns");
}

TEST_F(BenchmarkProgram, RefusesTwoBenchmarksOfOneName) {
  output_.entries.push_back(output_.entries[0]);
  refuses(FailureKind::bad_record, "two benchmarks");
}

TEST_F(BenchmarkProgram, RefusesMoreThreadsThanItHasCpusFor) {
  output_.entries[0].threads = 4;
  refuses(FailureKind::bad_record, "say CPUS 4");
  launch_.plan.cpus = 4;
  EXPECT_TRUE(read_benchmark(output_, request()).record);
}

TEST_F(BenchmarkProgram, SuggestsTheNameNearestToAMissingOne) {
  const ReplicateFailure failure = names_no_such("BM_Sort/1025", "BM_Sort/1024\nBM_Copy\na\nb\nc\nd\n");
  EXPECT_THAT(failure.message, AllOf(HasSubstr("BM_Sort/1025; did you mean BM_Sort/1024?"), HasSubstr("lists 6"),
                                     HasSubstr("c, ..."), Not(HasSubstr("d, "))));
  EXPECT_THAT(names_no_such("BM_Sort", "").message, HasSubstr("no benchmark named BM_Sort"));
}

constexpr const char* plain_program = R"(
for argument in "$@"; do
  case $argument in
    --benchmark_out=*) out=${argument#*=} ;;
    --benchmark_list_tests*) echo BM_Sort/1024; exit 0 ;;
  esac
done
run() {
  echo '{"context": {"executable": "x"}, "benchmarks": [{"name": "BM_Sort/1024", "iterations": 10,
    "real_time": 5.0, "cpu_time": NaN, "time_unit": "ms"}]}' > "$out"
}
)";

Measurement measured(const std::string& body, const std::string& benchmark = "BM_Sort/1024") {
  const FakeProgram program(plain_program + body);
  LaunchRequest request = program.request({Group::timed});
  request.benchmark = benchmark;
  return measure_case(request, {});
}

TEST_F(BenchmarkProgram, RunsThroughTheLauncher) {
  const Measurement measurement = measured("run");
  ASSERT_EQ(measurement.replicates.size(), 2u);
  for (const Replicate& replicate : measurement.replicates) {
    ASSERT_TRUE(replicate.record) << replicate.failure->message;
    EXPECT_EQ(replicate.record->timed.at("e2e").windows.at(0).wall_ns, 50'000'000);
    EXPECT_EQ(replicate.record->replicate, replicate.index);
  }
}

TEST_F(BenchmarkProgram, TheLauncherExplainsWhyThereIsNoTime) {
  const auto failure = [](const Measurement& measurement) {
    EXPECT_EQ(measurement.replicates.size(), 1u);
    return measurement.replicates.at(0).failure.value_or(ReplicateFailure{});
  };
  EXPECT_THAT(failure(measured(": > \"$out\"", "BM_Sort/1025")).message, HasSubstr("did you mean BM_Sort/1024"));
  const char* const aggregate = R"(echo '{"context": {}, "benchmarks": [{"name": "BM_Sort/1024_mean",
    "run_name": "BM_Sort/1024", "run_type": "aggregate", "aggregate_name": "mean"}]}' > "$out")";
  EXPECT_THAT(failure(measured(aggregate)).message,
              AllOf(HasSubstr("BM_Sort/1024 reports aggregates only"), Not(HasSubstr("did you mean"))));
  EXPECT_EQ(failure(measured("kill -SEGV $$")).kind, FailureKind::crashed);
  EXPECT_EQ(failure(measured("run; exit 3")).kind, FailureKind::exited_nonzero);
  EXPECT_EQ(failure(measured("echo hello")).kind, FailureKind::no_record);
  EXPECT_THAT(failure(measured("echo hello")).message, HasSubstr("benchmark::Initialize"));
  EXPECT_THAT(failure(measured("echo '{' > \"$out\"")).message, HasSubstr("timed-00-0.benchmark.json"));
}

TEST_F(BenchmarkProgram, RefusesWhatAPlainBenchmarkLacks) {
  const FakeProgram program(plain_program);
  for (const Group group : {Group::exact, Group::reference}) {
    LaunchRequest request = program.request({group});
    request.benchmark = "BM_Sort/1024";
    EXPECT_ANY_THROW(measure_case(request, {})) << name_of(group);
  }
  LaunchRequest request = program.request({Group::timed});
  request.benchmark = "BM_Sort/1024";
  request.plan.params = {{"batch_size", "4"}};
  EXPECT_ANY_THROW(measure_case(request, {}));
}

}  // namespace
}  // namespace stepgate
