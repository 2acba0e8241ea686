#include "experiment/history/imported_session.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "json/exports/series_documents.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* commit_id_here = "4be1c0f00000000000000000000000000000aaaa";

/// What a Google Benchmark program writes; {} stands for one time in microseconds.
constexpr const char* one_repetition = R"({{
  "context": {{"date": "2026-11-23T09:57:14+02:00", "host_name": "build-1", "executable": "./sort", "num_cpus": 2,
              "mhz_per_cpu": 2093, "caches": [{{"type": "Data", "level": 1, "size": 49152, "num_sharing": 1}}],
              "library_build_type": "release"}},
  "benchmarks": [
    {{"name": "BM", "run_name": "BM", "run_type": "iteration", "repetition_index": 0, "iterations": 7,
     "real_time": {}, "cpu_time": 1, "time_unit": "us"}}]}})";

std::string benchmark_text(double time_us) { return fmt::format(one_repetition, time_us); }

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class ImportedSession : public testing::Test {
 protected:
  HistorySession session_of(const std::vector<std::string>& texts, const std::string& runner_class = "local") {
    BenchmarkImport import{.files = {}, .commit = commit_, .runner_class = runner_class};
    for (const std::string& text : texts)
      import.files.push_back(here_.write(fmt::format("{}.json", import.files.size()), text));
    Observer observer;
    observer.on_notice = [&](const Notice& notice) { told_.push_back(notice.text); };
    return imported_session(import, observer);
  }

  std::string refusal(const std::vector<std::string>& texts) {
    try {
      session_of(texts);
    } catch (const Error& error) {
      EXPECT_FALSE(error.remedy().empty());
      return error.what();
    }
    return "";
  }

  TemporaryFolder here_;
  std::string commit_ = commit_id_here;
  std::vector<std::string> told_;
};

TEST_F(ImportedSession, RepetitionsOfAProcessAreOneValue) {
  const HistorySession session = session_of({text_of(golden_path("google_benchmark/chain.json"))});
  EXPECT_EQ(session.utc, "2026-11-23T07:57:14Z");
  EXPECT_EQ(session.commit, commit_id_here);
  ASSERT_EQ(session.cases.size(), 2u);
  const HistoryCase& chain = session.cases[0];
  EXPECT_EQ(chain.name, "plain_benchmark/BM_Chain/20000/min_time:0.100/real_time");
  EXPECT_FALSE(chain.exact);
  ASSERT_EQ(chain.timed->values.size(), 2u) << "items_per_second and the time";
  const HistoryValue& time = chain.timed->values[1];
  EXPECT_EQ(time.metric, "step_time_ns");
  EXPECT_EQ(time.median, 28799.808837683013);
  EXPECT_EQ(time.replicates, 1) << "repetitions are not independent";
  EXPECT_EQ(time.spread, 0);
  EXPECT_THAT(chain.timed->repetitions,
              ElementsAre(testing::Pair("items_per_second", 3), testing::Pair("step_time_ns", 3)));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("it ended with an error: plain_benchmark/BM_GivesUp: the table \"prices\""),
                                 HasSubstr("the counter is not finite: limit of plain_benchmark/BM_OddCounters"),
                                 HasSubstr("built for debugging")));
}

TEST_F(ImportedSession, EachFileIsAProcess) {
  const HistorySession session =
      session_of({benchmark_text(2), with(benchmark_text(4), "09:57", "09:50"), benchmark_text(3)});
  const HistoryHalf& half = *session.cases.at(0).timed;
  EXPECT_EQ(half.values.at(0).median, 3000);
  EXPECT_EQ(half.values.at(0).replicates, 3);
  EXPECT_NEAR(half.values.at(0).spread, 2.0 / 3, 1e-12);
  EXPECT_THAT(half.repetitions, ElementsAre(testing::Pair("step_time_ns", 3)));
  EXPECT_EQ(session.utc, "2026-11-23T07:50:14Z") << "of the first";
}

TEST_F(ImportedSession, TheKeyIsTheMachineAndHowTheLibraryWasBuilt) {
  const Fingerprint key = session_of({benchmark_text(2)}).keys.begin()->second;
  EXPECT_THAT(key,
              ElementsAre(testing::Pair("benchmark_build_type", "release"), testing::Pair("caches", "Data 1 48 KiB x1"),
                          testing::Pair("host_name", "build-1"), testing::Pair("imported_from", "google-benchmark"),
                          testing::Pair("mhz_per_cpu", "2100"), testing::Pair("num_cpus", "2")));
  EXPECT_THAT(told_, IsEmpty());
  const std::string debug = with(benchmark_text(2), "\"release\"", "\"debug\"");
  EXPECT_EQ(session_of({debug}).keys.begin()->second.at("benchmark_build_type"), "debug");
  EXPECT_THAT(told_, ElementsAre(HasSubstr("an epoch of their own")));
  EXPECT_FALSE(session_of({debug}, "ci-small").keys.begin()->second.contains("host_name"))
      << "a class says that its machines are alike";
}

TEST_F(ImportedSession, WhatIsNoMeasurementIsRefused) {
  const std::string text = benchmark_text(2);
  const std::string mean = with(text, "\"iteration\"", "\"aggregate\"");
  EXPECT_THAT(refusal({mean}), HasSubstr("0.json: holds aggregates only"));
  EXPECT_THAT(refusal({with(text, "\"run_type\": \"iteration\",", "")}), HasSubstr("run_type is missing"));
  EXPECT_THAT(refusal({with(text, "\"us\"", "\"min\"")}), HasSubstr("time_unit"));
  EXPECT_THAT(refusal({with(text, "\"real_time\": 2", "\"real_time\": NaN")}),
              HasSubstr("real_time of BM is missing or"));
  EXPECT_THAT(refusal({with(text, "2026-11-23T", "yesterday ")}), HasSubstr("context.date"));
  EXPECT_THAT(refusal({with(text, "\"iterations\": 7", "\"iterations\": 0")}), HasSubstr("none of the benchmarks"));
  EXPECT_THAT(refusal({text, benchmark_text(3), text}), HasSubstr("2.json: has the contents of"));
  EXPECT_THAT(refusal({text, with(text, "build-1", "build-2")}), HasSubstr("another file measured sort/BM on another"));
  EXPECT_THAT(refusal({"{\"context\": {}, \"benchmarks\": []}"}), HasSubstr("holds no benchmark"));
  EXPECT_THAT(refusal({"{\"benchmarks\": []}"}), HasSubstr("no tool that stepgate knows"));
  EXPECT_THAT(refusal({R"({"benchmarks": [{"runs": [{"samples": [1]}], "common_metadata": {}}], "version": 2})"}),
              HasSubstr("no run of it has values"));
}

TEST_F(ImportedSession, TheCommitIsGivenOrInTheFileAndOnlyOne) {
  const std::string named = with(benchmark_text(2), "\"date\"", "\"commit\": \"abcdef0\", \"date\"");
  EXPECT_THAT(refusal({named}), HasSubstr("several commits"));
  commit_ = "";
  EXPECT_EQ(session_of({named}).commit, "abcdef0");
  EXPECT_THAT(refusal({benchmark_text(2)}), HasSubstr("the files name no commit"));
  for (const char* bad : {"no-such-branch", "-rf", "abcdef0-dirty", "../x"}) {
    commit_ = bad;
    EXPECT_THAT(refusal({benchmark_text(2)}), HasSubstr(bad));
  }
}

TEST_F(ImportedSession, AnExportComesBackAsItWas) {
  const ExportedRun run{
      .utc = "2026-11-22T05:34:50Z",
      .unix_s = 0,
      .commit = commit_id_here,
      .runner_class = "ci-small",
      .stepgate_version = {},
      .series = {{.case_name = "a/\"b\"", .metric = "step_time_ns", .unit = MetricUnit::ns, .values = {1, 4, 2}},
                 {.case_name = "a/\"b\"", .metric = "first_step_ns", .unit = MetricUnit::ns, .values = {9}}}};
  commit_ = "";
  const HistorySession session = session_of({google_benchmark_text(run)});
  EXPECT_EQ(session.utc, run.utc);
  EXPECT_EQ(session.commit, run.commit);
  ASSERT_EQ(session.cases.size(), 1u);
  EXPECT_EQ(session.cases[0].name, "a/\"b\"");
  const HistoryHalf& half = *session.cases[0].timed;
  ASSERT_EQ(half.values.size(), 2u);
  EXPECT_EQ(half.values[0].metric, "first_step_ns");
  EXPECT_EQ(half.values[0].median, 9);
  EXPECT_EQ(half.values[1].median, 2);
  EXPECT_THAT(half.repetitions, ElementsAre(testing::Pair("first_step_ns", 1), testing::Pair("step_time_ns", 3)));
}

}  // namespace
}  // namespace stepgate
