#include "json/benchmarks/benchmark_file_json.h"

#include <gmock/gmock.h>

#include "json/expect_error.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

/// The form of newer versions of nvbench: numbers are texts.
const char* const nvbench_sample = R"({
  "meta": {"argv": ["./bin/copy_bench", "--json", "o.json"], "version": {"json": {"major": 1}}},
  "devices": [{"id": 0, "name": "NVIDIA H100 PCIe"}],
  "benchmarks": [{"name": "copy", "index": 0, "axes": null, "states": [
    {"name": "Device=0 BlockSize=2^8", "device": 0, "axis_values": [], "summaries": [
      {"tag": "nv/cold/sample_size", "data": [{"name": "value", "type": "int64", "value": "1200"}]},
      {"tag": "nv/cold/time/gpu/mean", "hint": "duration", "data": [
        {"name": "name", "type": "string", "value": "GPU Time"},
        {"name": "value", "type": "float64", "value": "1.25e-05"}]},
      {"tag": "nv/cold/time/gpu/median", "data": [{"name": "value", "type": "float64", "value": "1.2e-05"}]},
      {"tag": "nv/cold/bw/global/bytes_per_second", "data": [{"name": "value", "type": "float64", "value": "2e12"}]}],
     "is_skipped": false},
    {"name": "Device=0 BlockSize=2^9", "summaries": null, "is_skipped": true, "skip_reason": "too large"},
    {"name": "Device=0 BlockSize=2^10", "summaries": [
      {"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "type": "float64", "value": "inf"}]}],
     "is_skipped": false}]}]
})";

TEST(BenchmarkFileJson, AProcessOfNvbenchHasSeconds) {
  const BenchmarkFile file = benchmark_file_from_text(nvbench_sample, "n.json");
  EXPECT_EQ(file.tool, "nvbench");
  ASSERT_EQ(file.processes.size(), 1u);
  const BenchmarkOutput& process = file.processes[0];
  EXPECT_EQ(process.executable, "./bin/copy_bench");
  EXPECT_EQ(process.machine, (Fingerprint{{"gpu", "NVIDIA H100 PCIe"}}));
  ASSERT_EQ(process.entries.size(), 2u);
  EXPECT_EQ(process.entries[0].name, "copy/Device=0 BlockSize=2^8");
  EXPECT_NEAR(process.entries[0].real_time_ns.value_or(0), 12'500, 1e-6) << "the mean, in nanoseconds";
  EXPECT_EQ(process.entries[0].iterations, 1200);
  EXPECT_THAT(process.entries[0].counters, ElementsAre(Pair("bytes_per_second", 2e12)));
  EXPECT_EQ(process.entries[1].skipped, "too large");
  EXPECT_THAT(process.left_out, ElementsAre(Pair("it has no nv/cold/time/gpu/mean that is finite",
                                                 ElementsAre("copy/Device=0 BlockSize=2^10"))));
}

const char* const pyperf_sample = R"json({"benchmarks": [
  {"metadata": {"name": "[1]*1000", "loops": 64}, "runs": [
    {"metadata": {"date": "2020-10-13 10:13:25.965067"}, "warmups": [[1, 2.1e-06]]},
    {"metadata": {"date": "2020-10-13 10:13:26.618713", "load_avg_1min": 0.5}, "values": [2e-06, 3e-06]},
    {"metadata": {"date": "2020-10-13 10:13:27.270784"}, "values": [4e-06]}]},
  {"metadata": {"name": "memory", "unit": "byte"}, "runs": [{"values": [7360512]}]}],
 "metadata": {"cpu_count": 8, "hostname": "apu", "python_version": "3.7.0 (64-bit)", "unit": "second"},
 "version": "1.0"})json";

TEST(BenchmarkFileJson, EachRunOfPyperfIsAProcess) {
  const BenchmarkFile file = benchmark_file_from_text(pyperf_sample, "p.json");
  EXPECT_EQ(file.tool, "pyperf");
  ASSERT_EQ(file.processes.size(), 2u) << "the run that calibrated has no value";
  EXPECT_EQ(file.processes[0].date, "2020-10-13 10:13:26.618713");
  EXPECT_EQ(file.processes[0].machine,
            (Fingerprint{{"host_name", "apu"}, {"num_cpus", "8"}, {"python_version", "3.7.0 (64-bit)"}}));
  ASSERT_EQ(file.processes[0].entries.size(), 2u);
  EXPECT_EQ(file.processes[0].entries[1].name, "[1]*1000");
  EXPECT_EQ(file.processes[0].entries[1].repetition, 1);
  EXPECT_NEAR(file.processes[0].entries[1].real_time_ns.value_or(0), 3000, 1e-9);
  EXPECT_EQ(file.processes[1].entries.size(), 1u);
  EXPECT_THAT(file.processes[0].left_out,
              UnorderedElementsAre(Pair("its unit is byte, which is no time", ElementsAre("memory"))));
}

TEST(BenchmarkFileJson, AFileOfPyperfHasLimits) {
  const auto repeated = [](const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += (i == 0 ? "" : ",") + text;
    return all;
  };
  const auto file_of = [](const std::string& runs) {
    return R"({"benchmarks": [{"metadata": {"name": "a"}, "runs": [)" + runs + R"(]}], "version": "1.0"})";
  };
  const BenchmarkFile many = benchmark_file_from_text(file_of(repeated(R"({"values": [1]})", 10'001)), "p.json");
  ASSERT_EQ(many.processes.size(), 1u);
  EXPECT_TRUE(many.processes[0].entries.empty());
  EXPECT_THAT(many.processes[0].left_out, ElementsAre(Pair("it has more than 10000 runs", ElementsAre("a"))));
  const std::string long_run = R"({"values": [)" + repeated("1", 500'001) + "]}";
  expect_error([&] { benchmark_file_from_text(file_of(long_run), "p.json"); }, ErrorKind::usage,
               {"p.json: more than 500000 values"});
}

TEST(BenchmarkFileJson, WhatManyValuesShareIsShort) {
  const std::string text(1001, 'x');
  const auto pyperf = [](const std::string& metadata) {
    return R"({"benchmarks": [{"metadata": {"name": "a"}, "runs": [{"values": [1]}]}], "metadata": {)" + metadata +
           R"(}, "version": "1.0"})";
  };
  expect_error([&] { benchmark_file_from_text(pyperf(R"("hostname": ")" + text + '"'), "p.json"); }, ErrorKind::usage,
               {"p.json", "metadata", "hostname is longer than 1000 bytes"});
  const BenchmarkFile file = benchmark_file_from_text(pyperf(R"("python_cflags": ")" + text + '"'), "p.json");
  EXPECT_THAT(file.processes.at(0).machine, IsEmpty()) << "nothing reads it";
  const std::string nvbench = R"({"benchmarks": [{"name": ")" + text + R"(", "states": []}], "devices": []})";
  expect_error([&] { benchmark_file_from_text(nvbench, "n.json"); }, ErrorKind::usage,
               {"n.json: benchmarks[0]", "name is longer than 1000 bytes"});
}

TEST(BenchmarkFileJson, GoogleBenchmarkIsReadAsBefore) {
  const BenchmarkFile file = benchmark_file_from_text(
      R"({"context": {"date": "2019-10-04 13:41:08"}, "benchmarks": [{"name": "BM_a", "run_type": "iteration",
          "iterations": 10, "real_time": 5, "cpu_time": NaN, "time_unit": "us"}]})",
      "g.json");
  EXPECT_EQ(file.tool, "google-benchmark");
  ASSERT_EQ(file.processes.size(), 1u);
  EXPECT_EQ(file.processes[0].entries.at(0).real_time_ns, 5000);
  EXPECT_THAT(file.processes[0].left_out, IsEmpty());
}

TEST(BenchmarkFileJson, NamesTheToolsThatItDoesNotRead) {
  const auto refused = [](const std::string& text, const std::vector<std::string>& parts) {
    expect_error([&] { benchmark_file_from_text(text, "other.json"); }, ErrorKind::usage, parts);
  };
  refused(R"({"machine_info": {}, "benchmarks": [{"stats": {}}]})", {"other.json", "pytest-benchmark"});
  refused(R"({"results": [{"command": "ls", "times": [0.1]}]})", {"hyperfine"});
  refused(R"([{"jmhVersion": "1.3", "primaryMetric": {}}])", {"JMH"});
  refused(R"({"Title": "x", "HostEnvironmentInfo": {}})", {"BenchmarkDotNet"});
  refused(R"({"lastUpdate": 1, "entries": {}})", {"github-action-benchmark"});
  refused(R"({"traceEvents": []})", {"a trace"});
  refused("<?xml version=\"1.0\"?>", {"XML"});
  refused("name,iterations,real_time\n", {"CSV of Google Benchmark"});
  refused("goos: linux\n", {"go test"});
  refused(R"({"x": 1})", {"no tool that stepgate knows"});
  refused("[]", {"no tool that stepgate knows"});
  refused("", {"other.json"});
  refused(R"({"benchmarks": [{"name": "a", "states": [{"summaries": [{"tag": 1}]}]}]})",
          {"benchmarks[0].states[0].summaries[0].tag", "expected a text"});
}

}  // namespace
}  // namespace stepgate
