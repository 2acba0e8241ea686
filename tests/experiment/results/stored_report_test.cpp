// `stepgate report`: what is stored, of the cases that are asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/report_files.h"
#include "experiment/results/result_folders.h"
#include "experiment/results/result_inputs.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Outcome outcome_of(const std::string& name, const std::string& group, Status status) {
  Outcome outcome;
  outcome.verdict.case_name = name;
  outcome.verdict.status = status;
  outcome.kind = result_kind_named(group).value();
  return outcome;
}

/// A project of three cases, two of them measured.
class StoredReport : public testing::Test {
 protected:
  StoredReport() : build_("good"), project_(build_.project()) {
    project_.manifest.cases = {fake_entry("fake/a/tiny"), fake_entry("fake/b/tiny"), fake_entry("fake/c/tiny")};
    store(outcome_of("fake/a/tiny", "exact", Status::pass), "2026-11-21T10:00:00Z", "aaa");
    store(outcome_of("fake/b/tiny", "exact", Status::regressed), "2026-11-21T10:00:01Z", "aaa");
  }

  ManifestCase fake_entry(const std::string& name) const {
    return {.name = name, .suite = "fake", .program = build_.program().path(), .device = Device::cpu};
  }

  /// As a gate does that begins and ends.
  void store(Outcome outcome, const std::string& utc, const std::string& commit) {
    const ResultName name{outcome.verdict.case_name, outcome.kind};
    project_.start.utc = utc;
    project_.commit = commit;
    begin_results(listener_.caller(), project_, {name});
    KnownDigests digests;
    outcome.inputs = inputs_of_gate(project_, fake_entry(name.case_name), name.kind.half, digests);
    write_report(listener_.caller(), project_, folder_of(project_, name), report_of(project_, {outcome}));
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

TEST_F(StoredReport, TellsTheTimeOfItsResultsWheneverItIsWritten) {
  project_.start.utc = "2026-11-27T08:00:00Z";
  EXPECT_EQ(report({}).utc, "2026-11-21T10:00:01Z");
  EXPECT_EQ(report({.names = {"fake/a/tiny"}}).utc, "2026-11-21T10:00:00Z");
  EXPECT_EQ(report({.names = {"fake/c/tiny"}}).utc, "2026-11-27T08:00:00Z") << "nothing is stored of it";
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

TEST_F(StoredReport, OfAnEmulatedGpuExpectsTheCasesThatWereBegunThere) {
  project_.runner_class = "emulated-h100";
  EXPECT_THAT(report({}).expected_cases, ElementsAre("fake/a/tiny", "fake/b/tiny")) << "the others are not gated there";
  EXPECT_THAT(report({}).missing_cases, IsEmpty());
  EXPECT_EQ(exit_status(report({})), 1);
  EXPECT_TRUE(std::filesystem::exists(project_.out / "verdict.json"));
  EXPECT_EQ(exit_status(report({.names = {"fake/c/tiny"}})), 3) << "asked for";
  begin_results(listener_.caller(), project_, {{"fake/c/tiny", {.half = TierChoice::exact}}});
  EXPECT_THAT(report({}).missing_cases, ElementsAre("fake/c/tiny")) << "begun and not ended";
  begin_suite(listener_.caller(), project_);
  EXPECT_THAT(report({}).missing_cases, testing::Contains("fake/a/tiny")) << "what it judged is of an older suite run";
}

TEST_F(StoredReport, OfAnEmulatedGpuWithoutAnyResultIsNoPass) {
  project_.runner_class = "emulated-h100";
  project_.out /= "empty";
  EXPECT_THAT(report({}).missing_cases, SizeIs(3));
  EXPECT_EQ(exit_status(report({})), 3);
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

/// The only case whose exact half passes.
const Selection of_a{.names = {"fake/a/tiny"}};

TEST_F(StoredReport, ARunThatBeganAndDidNotEndIsNoPass) {
  project_.start.utc = "2026-11-21T11:00:00Z";
  project_.commit = "bbb";
  begin_results(listener_.caller(), project_, {{"fake/a/tiny", {.half = TierChoice::exact}}});
  const RunReport after = report(of_a);
  EXPECT_THAT(after.outcomes, IsEmpty());
  EXPECT_THAT(after.missing_cases, ElementsAre("fake/a/tiny"));
  EXPECT_EQ(exit_status(after), 3);
  EXPECT_THAT(listener_.notices(),
              HasSubstr("fake/a/tiny (exact) is not counted: the run that began 2026-11-21T11:00:00Z has not ended; "
                        "previous, of aaa (2026-11-21T10:00:00Z), pass"));
}

TEST_F(StoredReport, ASecondRunThatDidNotEndKeepsThePreviousResult) {
  begin_results(listener_.caller(), project_, {{"fake/a/tiny", {.half = TierChoice::exact}}});
  begin_results(listener_.caller(), project_, {{"fake/a/tiny", {.half = TierChoice::exact}}});
  report(of_a);
  EXPECT_THAT(listener_.notices(), HasSubstr("previous, of aaa"));
}

TEST_F(StoredReport, AHalfThatIsMeasuredAgainHidesNoOtherHalf) {
  store(outcome_of("fake/b/tiny", "timed", Status::pass), "2026-11-21T11:00:00Z", "aaa");
  EXPECT_EQ(exit_status(report({.names = {"fake/b/tiny"}})), 1);
  store(outcome_of("fake/a/tiny", "all", Status::pass), "2026-11-21T12:00:00Z", "aaa");
  begin_results(listener_.caller(), project_, {{"fake/a/tiny", {.half = TierChoice::timed}}});
  const RunReport open = report(of_a);
  EXPECT_THAT(open.outcomes, SizeIs(1)) << "the exact half of \"all\"";
  EXPECT_EQ(exit_status(open), 3) << "the timed half is not known";
}

TEST_F(StoredReport, BothHalvesReplaceAnOlderWholeGateAndAWholeGateBoth) {
  const auto groups = [&] {
    std::vector<std::string> all;
    for (const Outcome& outcome : report(of_a).outcomes) all.emplace_back(name_of(outcome.kind));
    return all;
  };
  store(outcome_of("fake/a/tiny", "all", Status::pass), "2026-11-21T09:00:00Z", "aaa");
  EXPECT_THAT(groups(), ElementsAre("all")) << "whatever the clock says";
  store(outcome_of("fake/a/tiny", "exact", Status::pass), "2026-11-21T09:00:00Z", "aaa");
  EXPECT_THAT(groups(), ElementsAre("exact", "all")) << "the timed half is only there";
  store(outcome_of("fake/a/tiny", "ab", Status::pass), "2026-11-21T09:00:00Z", "aaa");
  store(outcome_of("fake/a/tiny", "timed", Status::pass), "2026-11-21T09:00:00Z", "aaa");
  EXPECT_THAT(groups(), ElementsAre("exact", "timed", "ab"));
}

TEST_F(StoredReport, CountsNoVerdictOfAnotherProgramPolicyOrBaseline) {
  const auto why = [&](const std::filesystem::path& file, const std::string& text) {
    const auto before = read_text_file_if_present(file);
    write_file_atomically(file, text);
    EXPECT_EQ(exit_status(report(of_a)), 3) << file;
    std::filesystem::remove(file);
    if (before) write_file_atomically(file, *before);
    EXPECT_EQ(exit_status(report(of_a)), 0) << "it is the same file again: " << file;
    return listener_.notices();
  };
  EXPECT_THAT(why(build_.program().path(), "#!/bin/sh\n"),
              HasSubstr("aaa (2026-11-21T10:00:00Z), pass: its program changed since"));
  EXPECT_THAT(why(project_.policy_root / "fake/policy.json", "{}"), HasSubstr("its policy changed since"));
  EXPECT_THAT(why(project_.baseline_root / "portable/fake/a/tiny.json", "{}"), HasSubstr("its baseline changed since"));
}

TEST_F(StoredReport, CountsNothingThatDoesNotSayWhatItIsOf) {
  const Outcome old = outcome_of("fake/c/tiny", "exact", Status::pass);
  write_report(listener_.caller(), project_, project_.out / "fake/c/tiny/exact", report_of(project_, {old}));
  EXPECT_EQ(exit_status(report({.names = {"fake/c/tiny"}})), 3);
  EXPECT_THAT(listener_.notices(), HasSubstr("it does not say which program it is of"));
}

TEST_F(StoredReport, TheCommitIsALabel) {
  store(outcome_of("fake/a/tiny", "timed", Status::pass), "2026-11-21T11:00:00Z", "bbb");
  const RunReport both = report(of_a);
  EXPECT_THAT(both.outcomes, SizeIs(2)) << "of the same files";
  EXPECT_EQ(both.commit, "") << "a required check accepts it for neither";
  EXPECT_THAT(listener_.notices(), HasSubstr("these results are of different commits (aaa, bbb)"));
}

TEST_F(StoredReport, AnUnknownCommitIsNotTheSameCommit) {
  store(outcome_of("fake/a/tiny", "timed", Status::pass), "2026-11-21T11:00:00Z", "");
  EXPECT_EQ(report(of_a).commit, "");
}

class BegunSuite : public StoredReport {
 protected:
  std::filesystem::path suite() const { return project_.out / "suite.txt"; }
};

TEST_F(BegunSuite, LeavesNothingThatALaterReaderTakesForItsAnswer) {
  report({});
  write_comparison(listener_.caller(), project_, report_of(project_, {outcome_of("fake/a/tiny", "ab", Status::pass)}));
  std::vector<std::filesystem::path> aside;
  listener_.caller().observer.on_set_aside = [&](const std::filesystem::path& folder) { aside.push_back(folder); };
  begin_suite(listener_.caller(), project_);
  for (const auto& folder : {project_.out, project_.out / "ab", project_.out / "fake/a/tiny/exact"}) {
    EXPECT_FALSE(std::filesystem::exists(folder / "verdict.json")) << folder;
    EXPECT_THAT(aside, testing::Contains(folder)) << "JUnit and the summary go, too";
  }
  EXPECT_EQ(exit_status(report(of_a)), 3);
  EXPECT_THAT(listener_.notices(), HasSubstr("fake/a/tiny (exact) is not counted: previous, of aaa"));
  store(outcome_of("fake/a/tiny", "exact", Status::pass), "2026-11-21T09:00:00Z", "aaa");
  EXPECT_EQ(exit_status(report(of_a)), 0) << "whatever the clock says";
}

TEST_F(BegunSuite, CountsNoResultThatItDidNotSee) {
  const std::vector<ManifestCase> cases = project_.manifest.cases;
  project_.manifest.cases = {cases.back()};
  begin_suite(listener_.caller(), project_);
  project_.manifest.cases = cases;
  EXPECT_EQ(exit_status(report(of_a)), 3) << "the manifest had other cases when the suite began";
  EXPECT_THAT(listener_.notices(), HasSubstr("of another suite run"));
}

TEST_F(BegunSuite, WithADamagedNumberNothingCountsAndNothingMovesAside) {
  begin_suite(listener_.caller(), project_);
  store(outcome_of("fake/a/tiny", "exact", Status::pass), "2026-11-21T11:00:00Z", "aaa");
  for (const char* damaged : {"", "\n", "12", "0x12\n", "-1\n", "123456789012345678901\n", "12\n34\n"}) {
    write_file_atomically(suite(), damaged);
    EXPECT_THROW(report(of_a), Error) << damaged;
    EXPECT_THROW(begin_results(listener_.caller(), project_, {{"fake/a/tiny", {.half = TierChoice::exact}}}), Error)
        << damaged;
  }
  EXPECT_THAT(read_text_file(project_.out / "fake/a/tiny/exact/verdict.json"), HasSubstr("\"pass\""));
  begin_suite(listener_.caller(), project_);
  EXPECT_THAT(read_text_file(suite()), Not(HasSubstr("\n34"))) << "it is drawn anew";
}

}  // namespace
}  // namespace stepgate
