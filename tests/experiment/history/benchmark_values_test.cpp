#include "experiment/history/benchmark_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

BenchmarkEntry benchmark_run(const std::string& name, std::int64_t repetition, double real_time_ns) {
  return {.name = name, .repetition = repetition, .iterations = 10, .real_time_ns = real_time_ns};
}

BenchmarkOutput benchmark_file(std::vector<BenchmarkEntry> entries, const std::string& executable = "./bin/sort") {
  return {.executable = executable, .library_version = {}, .library_build_type = {}, .entries = std::move(entries)};
}

BenchmarkValues values_in(const BenchmarkOutput& output) { return benchmark_values(output, "b.json"); }

TEST(BenchmarkValues, ABenchmarkIsACaseOfItsProgram) {
  const BenchmarkValues values = values_in(benchmark_file({benchmark_run("BM/8", 0, 5), benchmark_run("BM/8", 1, 7)}));
  EXPECT_THAT(values.cases.at("sort/BM/8").at("step_time_ns"), ElementsAre(5, 7));
  EXPECT_THAT(values.left_out, IsEmpty());
}

TEST(BenchmarkValues, RowsWithoutATimeAreNamed) {
  BenchmarkEntry failed = benchmark_run("BM_a", 1, 0);
  failed.error = "no data";
  BenchmarkEntry skipped = benchmark_run("BM_b", 0, 0);
  skipped.skipped = "no GPU";
  const BenchmarkValues values = values_in(benchmark_file(
      {benchmark_run("BM_a", 0, 5), failed, skipped, benchmark_run("BM_c", 0, 0), benchmark_run("", 0, 5)}));
  EXPECT_THAT(values.cases, UnorderedElementsAre(testing::Pair(
                                "sort/BM_a", ElementsAre(testing::Pair("step_time_ns", ElementsAre(5))))));
  EXPECT_THAT(values.left_out,
              UnorderedElementsAre(testing::Pair("it ended with an error", ElementsAre("sort/BM_a: no data")),
                                   testing::Pair("it skipped itself", ElementsAre("sort/BM_b: no GPU")),
                                   testing::Pair("nothing was timed", ElementsAre("sort/BM_c")),
                                   testing::Pair("it has no name", ElementsAre("a benchmark of ./bin/sort"))));
}

TEST(BenchmarkValues, ATimeThatIsNotFiniteIsRefused) {
  BenchmarkEntry entry = benchmark_run("BM_a", 0, 5);
  entry.real_time_ns = std::nullopt;
  EXPECT_THROW(values_in(benchmark_file({benchmark_run("BM_b", 0, 5), entry})), Error);
  entry.real_time_ns = std::numeric_limits<double>::infinity();
  EXPECT_THROW(values_in(benchmark_file({entry})), Error);
}

TEST(BenchmarkValues, TwoBenchmarksOfOneNameAreNeither) {
  const BenchmarkValues values = values_in(benchmark_file({benchmark_run("BM_a", 0, 5), benchmark_run("BM_a", 0, 50),
                                                           benchmark_run("BM\nb", 0, 1), benchmark_run("BM b", 0, 2)}));
  EXPECT_THAT(values.cases, IsEmpty());
  EXPECT_THAT(values.left_out.at("two benchmarks have this name"), ElementsAre("sort/BM b", "sort/BM_a"));
}

TEST(BenchmarkValues, AMeanIsNoRepetition) {
  BenchmarkOutput output = benchmark_file({benchmark_run("BM_a", 0, 5)});
  output.aggregated = {"BM_a", "BM_b"};
  EXPECT_THAT(
      values_in(output).left_out,
      UnorderedElementsAre(testing::Pair("only aggregates are there, and no repetition", ElementsAre("sort/BM_b"))));
}

TEST(BenchmarkValues, CountersKeepTheirNamesUnlessStepgateHasThem) {
  BenchmarkEntry entry = benchmark_run("BM_a", 0, 5);
  entry.counters = {{"GB/s", 2.5}, {"broken", std::nullopt}, {"step_time_ns", 1}, {"a:b", 1}};
  const BenchmarkValues values = values_in(benchmark_file({entry}));
  EXPECT_THAT(values.cases.at("sort/BM_a"), UnorderedElementsAre(testing::Pair("step_time_ns", ElementsAre(5)),
                                                                 testing::Pair("GB/s", ElementsAre(2.5))));
  EXPECT_THAT(
      values.left_out,
      UnorderedElementsAre(testing::Pair("the counter is not finite", ElementsAre("broken of sort/BM_a")),
                           testing::Pair("stepgate has a metric of its own with the counter's name",
                                         ElementsAre("step_time_ns of sort/BM_a")),
                           testing::Pair("a series cannot have the counter's name", ElementsAre("a:b of sort/BM_a"))));
}

TEST(BenchmarkValues, AnExportGetsItsCasesAndMetricsBack) {
  const auto cases =
      values_in(
          benchmark_file({benchmark_run("a/b:step_time_mean_ns", 0, 5), benchmark_run("a/b:odd", 0, 6)}, "stepgate"))
          .cases;
  EXPECT_THAT(cases.at("a/b").at("step_time_mean_ns"), ElementsAre(5));
  EXPECT_TRUE(cases.contains("stepgate/a/b:odd")) << "no metric of stepgate";
  EXPECT_TRUE(values_in(benchmark_file({benchmark_run("x:step_time_ns", 0, 5)})).cases.contains("sort/x:step_time_ns"));
}

}  // namespace
}  // namespace stepgate
