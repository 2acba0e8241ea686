#include "json/records/benchmark_output_json.h"

#include "json/expect_error.h"

namespace stepgate {
namespace {

/// The form that version 1.7.1 writes.
const char* const output_text = R"({
  "context": {
    "date": "2026-11-21T07:26:53+00:00",
    "executable": "./sort",
    "num_cpus": 2,
    "cpu_scaling_enabled": true,
    "load_avg": [6.0,4.3,3.2],
    "library_build_type": "debug"
  },
  "benchmarks": [
    {
      "name": "BM_Sort/1024",
      "run_name": "BM_Sort/1024",
      "run_type": "iteration",
      "repetitions": 2,
      "repetition_index": 1,
      "threads": 2,
      "iterations": 100,
      "real_time": 2.5000000000000000e+00,
      "cpu_time": 2.0000000000000000e+00,
      "time_unit": "us",
      "bad": NaN,
      "items_per_second": 2.0e+06
    },
    {
      "name": "BM_Err",
      "run_type": "iteration",
      "error_occurred": true,
      "error_message": "no \"data\"\n here",
      "iterations": 1,
      "real_time": 0,
      "cpu_time": 0,
      "time_unit": "ns"
    },
    {
      "name": "BM_Sort/1024_BigO",
      "run_type": "aggregate",
      "aggregate_name": "BigO",
      "cpu_coefficient": 1.5,
      "big_o": "N",
      "time_unit": "ns"
    }
  ]
}
)";

TEST(BenchmarkOutputJson, ReadsRunsInNanoseconds) {
  const BenchmarkOutput output = benchmark_output_from_text(output_text, "b.json");
  EXPECT_EQ(output.executable, "./sort");
  EXPECT_EQ(output.library_build_type, "debug");
  EXPECT_EQ(output.cpu_scaling, true);
  ASSERT_EQ(output.entries.size(), 2u) << "an aggregate is not a run";
  const BenchmarkEntry& entry = output.entries[0];
  EXPECT_EQ(entry.name, "BM_Sort/1024");
  EXPECT_EQ(entry.repetition, 1);
  EXPECT_EQ(entry.threads, 2);
  EXPECT_EQ(entry.iterations, 100);
  EXPECT_EQ(entry.real_time_ns, 2500);
  EXPECT_EQ(entry.cpu_time_ns, 2000);
  EXPECT_EQ(entry.items_per_s, 2e6);
  EXPECT_FALSE(entry.error);
}

TEST(BenchmarkOutputJson, KeepsCountersAndWhichBenchmarksHaveAggregates) {
  const BenchmarkOutput output = benchmark_output_from_text(output_text, "b.json");
  const std::map<std::string, std::optional<double>> counters = {{"bad", std::nullopt}, {"items_per_second", 2e6}};
  EXPECT_EQ(output.entries.at(0).counters, counters);
  EXPECT_TRUE(output.entries.at(1).counters.empty());
  EXPECT_TRUE(output.aggregated.empty()) << "a complexity is an aggregate of no benchmark";
  const std::string mean =
      replaced(output_text, R"("aggregate_name": "BigO",
      "cpu_coefficient": 1.5,
      "big_o": "N",)",
               R"("run_name": "BM_Sort/1024", "aggregate_name": "mean", "real_time": 1, "iterations": 2,)");
  EXPECT_EQ(benchmark_output_from_text(mean, "b.json").aggregated, std::vector<std::string>{"BM_Sort/1024"});
  EXPECT_TRUE(output.run_types);
  EXPECT_EQ(output.date, "2026-11-21T07:26:53+00:00");
  const std::string older = replaced(output_text, "\"run_type\": \"iteration\",", "");
  EXPECT_FALSE(benchmark_output_from_text(older, "b.json").run_types);
}

TEST(BenchmarkOutputJson, KeepsTheMachine) {
  const std::string text = replaced(output_text, "\"num_cpus\": 2,",
                                    R"("host_name": "a", "num_cpus": 2, "mhz_per_cpu": 2149, "commit": "4be1c0f",
    "caches": [{"type": "Data", "level": 1, "size": 49152, "num_sharing": 1},
               {"type": "Unified", "level": 2, "size": 2097152, "num_sharing": 2}],)");
  const BenchmarkOutput output = benchmark_output_from_text(text, "b.json");
  const Fingerprint machine = {{"caches", "Data 1 48 KiB x1, Unified 2 2048 KiB x2"},
                               {"host_name", "a"},
                               {"mhz_per_cpu", "2100"},
                               {"num_cpus", "2"}};
  EXPECT_EQ(output.machine, machine);
  EXPECT_EQ(output.commit, "4be1c0f");
  EXPECT_EQ(benchmark_output_from_text(output_text, "b.json").machine, (Fingerprint{{"num_cpus", "2"}}));
}

TEST(BenchmarkOutputJson, KeepsWhatAnErrorSays) {
  const BenchmarkOutput output = benchmark_output_from_text(output_text, "b.json");
  EXPECT_EQ(output.entries.at(1).error, "no \"data\"\n here");
}

TEST(BenchmarkOutputJson, ReadsTheNewerFormOfASkip) {
  const std::string text = replaced(output_text, R"("error_occurred": true,
      "error_message")",
                                    R"("skipped": true,
      "skip_message")");
  const BenchmarkOutput output = benchmark_output_from_text(text, "b.json");
  EXPECT_FALSE(output.entries.at(1).error);
  EXPECT_EQ(output.entries.at(1).skipped, "no \"data\"\n here");
}

TEST(BenchmarkOutputJson, ATimeThatIsNoNumberIsMissing) {
  const std::string text = replaced(output_text, "2.5000000000000000e+00", "-NaN");
  EXPECT_FALSE(benchmark_output_from_text(text, "b.json").entries.at(0).real_time_ns);
}

TEST(BenchmarkOutputJson, NamesWhatIsWrong) {
  const auto read = [](const std::string& text) { return [=] { benchmark_output_from_text(text, "b.json"); }; };
  expect_error(read("{}"), ErrorKind::measure, {"b.json", "context"});
  expect_error(read(replaced(output_text, "\"us\"", "\"h\"")), ErrorKind::measure,
               {"benchmarks[0].time_unit", "\"h\""});
  expect_error(read(std::string(output_text).substr(0, 300)), ErrorKind::measure, {"b.json", "cut off"});
  expect_error(read(replaced(output_text, "\"bad\": NaN", "\"threads\": 3")), ErrorKind::measure, {"duplicate key"});
}

}  // namespace
}  // namespace stepgate
