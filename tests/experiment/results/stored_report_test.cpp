// `stepgate report`: what is stored, of the cases that are asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/results/report_files.h"
#include "system/file.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Outcome outcome_of(const std::string& name, const std::string& group, Status status) {
  Outcome outcome;
  outcome.verdict.case_name = name;
  outcome.verdict.status = status;
  outcome.group = group;
  return outcome;
}

/// A project of three cases, two of them measured.
class StoredReport : public testing::Test {
 protected:
  StoredReport() : build_("good"), project_(build_.project()) {
    project_.manifest.cases = {{.name = "fake/a/tiny", .suite = "fake", .program = "train", .device = "cpu"},
                               {.name = "fake/b/tiny", .suite = "fake", .program = "train", .device = "cpu"},
                               {.name = "fake/c/tiny", .suite = "fake", .program = "train", .device = "cpu"}};
    store(outcome_of("fake/a/tiny", "exact", Status::pass), "2026-11-21T10:00:00Z", "aaa");
    store(outcome_of("fake/b/tiny", "exact", Status::regressed), "2026-11-21T10:00:01Z", "aaa");
  }

  void store(const Outcome& outcome, const std::string& utc, const std::string& commit) {
    project_.start.utc = utc;
    project_.commit = commit;
    write_report(listener_.caller(), project_.out / outcome.verdict.case_name / outcome.group,
                 report_of(project_, {outcome}));
  }

  RunReport report(const Selection& selection) { return stored_report(project_, selection, listener_.caller()).report; }

  std::vector<std::string> names(const Selection& selection) {
    std::vector<std::string> all;
    for (const Outcome& outcome : report(selection).outcomes) all.push_back(outcome.verdict.case_name);
    return all;
  }

  FakeBuild build_;
  Project project_;
  Listener listener_;
};

TEST_F(StoredReport, HoldsAllCasesWorstFirstAndNamesTheMissing) {
  EXPECT_THAT(names({}), ElementsAre("fake/b/tiny", "fake/a/tiny"));
  EXPECT_THAT(report({}).missing_cases, ElementsAre("fake/c/tiny"));
  EXPECT_EQ(exit_status(report({})), 3);
}

TEST_F(StoredReport, OfOneCaseHoldsNoOther) {
  const RunReport one = report({.names = {"fake/a/tiny"}});
  EXPECT_THAT(names({.names = {"fake/a/tiny"}}), ElementsAre("fake/a/tiny"));
  EXPECT_THAT(one.expected_cases, ElementsAre("fake/a/tiny"));
  EXPECT_THAT(one.missing_cases, IsEmpty());
  EXPECT_EQ(exit_status(one), 0);
  EXPECT_EQ(exit_status(report({.names = {"fake/b/tiny"}})), 1);
  EXPECT_EQ(exit_status(report({.globs = {"*/c/*"}})), 3);
}

TEST_F(StoredReport, OfACaseThatIsUnknownIsAnError) { EXPECT_THROW(report({.names = {"fake/d/tiny"}}), Error); }

TEST_F(StoredReport, OfOneCaseLeavesTheVerdictOfTheSuite) {
  report({});
  const std::string suite = read_text_file(project_.out / "verdict.json");
  report({.names = {"fake/a/tiny"}});
  EXPECT_EQ(read_text_file(project_.out / "verdict.json"), suite);
}

TEST_F(StoredReport, CountsNoHalfThatALaterGateReplaced) {
  store(outcome_of("fake/b/tiny", "all", Status::pass), "2026-11-21T11:00:00Z", "aaa");
  EXPECT_EQ(exit_status(report({.names = {"fake/b/tiny"}})), 0);
  EXPECT_THAT(report({.names = {"fake/b/tiny"}}).outcomes, SizeIs(1));
}

TEST_F(StoredReport, OffersNothingThatWasAcceptedSince) {
  Outcome outcome = outcome_of("fake/a/tiny", "timed", Status::no_baseline);
  outcome.accept_command = "stepgate baseline accept fake/a/tiny --reason \"...\"";
  store(outcome, "2026-11-21T11:00:00Z", "aaa");
  const auto pending = project_.out / "pending" / project_.runner_class / "fake/a/tiny.json";
  const auto committed = project_.baseline_root / project_.runner_class / "fake/a/tiny.json";
  write_file_atomically(pending, "{}");
  const Selection one{.names = {"fake/a/tiny"}};
  EXPECT_FALSE(report(one).outcomes.front().accept_command.empty());

  std::filesystem::remove(pending);
  EXPECT_FALSE(report(one).outcomes.front().accept_command.empty()) << "nothing was accepted: the file was lost";

  write_file_atomically(committed, "{}");
  std::filesystem::last_write_time(committed, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  const Outcome accepted = report(one).outcomes.front();
  EXPECT_EQ(accepted.accept_command, "");
  ASSERT_THAT(accepted.findings, SizeIs(1));
  EXPECT_EQ(accepted.findings.front().code, "accepted-since");
  EXPECT_THAT(accepted.findings.front().advice, HasSubstr("stepgate gate fake/a/tiny"));
}

TEST_F(StoredReport, TellsOfAHalfOfAnOlderCommit) {
  store(outcome_of("fake/a/tiny", "timed", Status::pass), "2026-11-21T11:00:00Z", "bbb");
  EXPECT_THAT(report({.names = {"fake/a/tiny"}}).outcomes, SizeIs(1));
  EXPECT_EQ(report({.names = {"fake/a/tiny"}}).commit, "bbb");
  EXPECT_THAT(listener_.notices(), HasSubstr("fake/a/tiny (exact) is left out: it is of commit aaa"));
}

}  // namespace
}  // namespace stepgate
