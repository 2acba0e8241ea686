// What of an output folder becomes a session of a history: the head side of A/B runs above all.
#include "experiment/history/history_session.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/stored/history_pairs.h"
#include "json/records/measurement_json.h"
#include "json/stored/ab_plan_json.h"
#include "support/fake_program.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* kept_case = "fake/case/tiny";

/// One process of the case that takes `step_ns` for a step, or one of the exact half.
Measurement kept_process(Group group, std::int64_t step_ns = 0) {
  RunRecord record = valid_record(group, 0);
  if (group == Group::timed) record.timed["e2e"].windows.front().wall_ns = 10 * step_ns;
  Measurement measurement;
  measurement.case_name = kept_case;
  measurement.runner_class = "box";
  measurement.utc = "2026-11-22T05:34:50Z";
  measurement.unix_s = 1795325690;
  measurement.commit = "4be1c0f01234";
  measurement.plan.device = Device::cpu;
  measurement.replicates.resize(1);
  measurement.replicates.front().group = group;
  measurement.replicates.front().record = record;
  return measurement;
}

class HistorySessionOfPairs : public testing::Test {
 protected:
  void write(const std::string& place, const Measurement& measurement) const {
    folder_.write(place + "/measurement.json", to_text(measurement));
  }

  /// An A/B run: the base takes 100 us a step, the head 110, 120 and 190 us.
  void write_ab(bool complete, const std::string& root = "out") const {
    const std::string ab = fmt::format("{}/{}/ab", root, kept_case);
    AbPlan plan;
    plan.case_name = kept_case;
    plan.alternating_windows = true;
    plan.complete = complete;
    folder_.write(ab + "/ab.json", to_text(plan));
    const std::vector<std::int64_t> heads = {110'000, 120'000, 190'000};
    for (std::size_t i = 0; i < heads.size(); ++i) {
      write(fmt::format("{}/pairs/{:03}/base", ab, i), kept_process(Group::timed, 100'000));
      write(fmt::format("{}/pairs/{:03}/head", ab, i), kept_process(Group::timed, heads[i]));
      write(fmt::format("{}/control/{:03}/twin", ab, i), kept_process(Group::timed, 100'000));
    }
    for (const char* side : {"base", "head"}) write(ab + "/exact/" + side, kept_process(Group::exact));
  }

  HistorySession session_of(const std::string& place) const {
    return history_session_of({folder_.path() / place}, observer_);
  }

  std::string refusal_of_session(const std::string& place) const {
    try {
      session_of(place);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  std::vector<std::string> notices_;
  Observer observer_{.on_notice = [this](const Notice& notice) { notices_.push_back(notice.text); }};
};

HistoryValue step_time_in(const HistorySession& session) {
  for (const HistoryValue& value : session.cases.at(0).timed->values) {
    if (value.metric == "step_time_ns") return value;
  }
  return {};
}

TEST_F(HistorySessionOfPairs, TheHeadsProcessesAreOneValueUnderAKeyOfTheirOwn) {
  write_ab(true);
  for (const char* place : {"out", "out/fake/case/tiny", "out/fake/case/tiny/ab"}) {
    const HistorySession session = session_of(place);
    ASSERT_EQ(session.cases.size(), 1U) << place;
    EXPECT_EQ(step_time_in(session).median, 120'000) << place;
    EXPECT_EQ(step_time_in(session).replicates, 3) << place;
    const HistoryCase& one = session.cases.front();
    EXPECT_EQ(session.keys.at(one.timed->key).at(std::string(pair_fact)), pairs_of_windows) << place;
  }
}

TEST_F(HistorySessionOfPairs, CountersContinueTheSeriesOfAGate) {
  write_ab(true);
  write("gated/fake/case/tiny/exact", kept_process(Group::exact));
  const HistoryCase in_pairs = session_of("out").cases.at(0);
  const HistoryCase gated = session_of("gated").cases.at(0);
  EXPECT_EQ(in_pairs.exact->key, gated.exact->key);
  EXPECT_EQ(in_pairs.exact->values.size(), gated.exact->values.size());
}

TEST_F(HistorySessionOfPairs, WhatRanAloneComesFirst) {
  write_ab(true);
  write("out/fake/case/tiny/timed", kept_process(Group::timed, 105'000));
  const HistorySession session = session_of("out");
  EXPECT_EQ(step_time_in(session).median, 105'000);
  EXPECT_FALSE(session.keys.at(session.cases.at(0).timed->key).contains(std::string(pair_fact)));
  ASSERT_EQ(notices_.size(), 1U);
  EXPECT_THAT(notices_.front(), HasSubstr("the results of ab in it are left out"));
}

TEST_F(HistorySessionOfPairs, AnUnfinishedRunOneProcessAndMixedMachinesAreRefused) {
  write_ab(false);
  EXPECT_THAT(refusal_of_session("out"), HasSubstr("the A/B run of fake/case/tiny is not finished"));
  write_ab(true);
  for (const char* side : {"pairs/000/base", "pairs/001/head", "exact/head", "control/002/twin"}) {
    EXPECT_THAT(refusal_of_session(fmt::format("out/fake/case/tiny/ab/{}/measurement.json", side)),
                HasSubstr("is one process of an A/B run"));
  }
  Measurement elsewhere = kept_process(Group::timed, 110'000);
  elsewhere.host["cpu_model"] = "another CPU";
  write("out/fake/case/tiny/ab/pairs/002/head", elsewhere);
  EXPECT_THAT(refusal_of_session("out"), HasSubstr("cpu_model is '' and 'another CPU'"));
}

TEST_F(HistorySessionOfPairs, ThePlanFolderOfNodesIsNoSecondResult) {
  write_ab(true);
  write_ab(true, "out/ab-nodes");
  folder_.write("out/ab-nodes/plan.json", "{}");
  EXPECT_EQ(step_time_in(session_of("out")).replicates, 3);
}

}  // namespace
}  // namespace stepgate
