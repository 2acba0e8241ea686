// What the page of verdicts draws, read back from an output folder.
#include "experiment/results/stored_evidence.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "baseline/baseline_path.h"
#include "json/records/measurement_json.h"
#include "json/stored/baseline_json.h"
#include "json/stored/policy_json.h"
#include "json/stored/shard_plan_json.h"
#include "support/fake_program.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* drawn_case = "fake/case/tiny";

Measurement measurement_of(const RunRecord& record) {
  Measurement measurement;
  measurement.case_name = drawn_case;
  measurement.replicates.resize(1);
  measurement.replicates.front().group = record.group;
  measurement.replicates.front().record = record;
  return measurement;
}

/// One process whose step takes `step_ns`, started at `unix_s`.
Measurement one_process(std::int64_t step_ns, std::int64_t unix_s) {
  RunRecord record = valid_record(Group::timed, 0);
  record.timed["e2e"].windows.front().wall_ns = 10 * step_ns;
  Measurement measurement = measurement_of(record);
  measurement.unix_s = unix_s;
  return measurement;
}

MemoryLedger ledger_of_peak(std::int64_t peak_bytes) {
  MemoryLedger ledger;
  ledger.peak_bytes = peak_bytes;
  ledger.boundary = "backward";
  ledger.bytes = {{"parameters", peak_bytes}};
  return ledger;
}

Measurement exact_process(std::int64_t peak_bytes) {
  RunRecord record = valid_record(Group::exact, 0);
  record.memory.emplace().series = {{"resident_bytes", {peak_bytes}}, {"peak_allocated_bytes", {peak_bytes}}};
  record.memory->ledger = ledger_of_peak(peak_bytes);
  return measurement_of(record);
}

/// An output folder with files written one by one.
class StoredEvidence : public testing::Test {
 protected:
  StoredEvidence() {
    project_.manifest.cases = {{.name = drawn_case, .suite = "fake", .program = "train", .device = Device::cpu}};
    project_.out = folder_.path() / "out";
    project_.baseline_root = folder_.path() / "baselines";
    project_.policy_root = folder_.path() / "policies";
    project_.runner_class = "local";
    Policy policy;
    policy.margins = {.ignore = 0.02, .matter = 0.07};
    folder_.write("policies/fake/policy.json", to_text(policy));
  }

  void write_measurement_in(const std::string& place, const Measurement& measurement) const {
    folder_.write("out/" + place + "/measurement.json", to_text(measurement));
  }

  /// Pair `index`: 100 us against 100 us + `slower_ns`.
  void write_pair(std::int64_t index, std::int64_t slower_ns) const {
    const std::string place = fmt::format("{}/ab/pairs/{:03}", drawn_case, index);
    write_measurement_in(place + "/base", one_process(100'000, 10 * index));
    write_measurement_in(place + "/head", one_process(100'000 + slower_ns, 10 * index + 1));
  }

  /// The same pair as a node handed it back. `started`: of its base process.
  void write_node_result(const std::string& place, std::int64_t index, std::int64_t started,
                         const std::string& plan = "out/ab-nodes") const {
    NodeResult result;
    result.place = place;
    result.case_name = drawn_case;
    result.index = index;
    result.base = one_process(100'000, started);
    result.head = one_process(104'000, started + 1);
    folder_.write(fmt::format("{}/pairs/{}/{:03}.0.json", plan, drawn_case, index), to_text(result));
  }

  CaseEvidence evidence(const Outcome& outcome) const {
    RunReport report;
    report.outcomes = {outcome};
    return stored_evidence(project_, report).at(0);
  }

  static Outcome outcome_of_group(const std::string& group) {
    Outcome outcome;
    outcome.kind = result_kind_named(group).value();
    outcome.pairs_decided = outcome.kind == result_of_pairs;
    outcome.verdict.case_name = drawn_case;
    outcome.verdict.metrics.resize(2);
    outcome.verdict.metrics[0].metric = "step_time_ns";
    outcome.verdict.metrics[1].metric = "operators_per_step";
    return outcome;
  }

  static std::vector<double> heads_of(const std::map<std::string, std::vector<Pair>>& pairs) {
    std::vector<double> heads;
    for (const Pair& pair : pairs.at("step_time_ns")) heads.push_back(std::round(pair.head));
    return heads;
  }

  TemporaryFolder folder_;
  Project project_;
};

TEST_F(StoredEvidence, OfPairsHoldsTheCleanOnesInTheOrderMeasured) {
  for (std::int64_t index : {10, 2, 9}) write_pair(index, 1000 * index);
  Measurement disturbed = one_process(500'000, 41);
  disturbed.replicates.front().taint_reasons = {"steal"};
  write_pair(4, 0);
  write_measurement_in(fmt::format("{}/ab/pairs/004/head", drawn_case), disturbed);
  write_measurement_in(fmt::format("{}/ab/pairs/011/base", drawn_case), one_process(100'000, 0));  // no head
  folder_.write(fmt::format("out/{}/ab/pairs/012/base/measurement.json", drawn_case), "{");
  const CaseEvidence found = evidence(outcome_of_group("ab"));
  EXPECT_THAT(heads_of(found.pairs), ElementsAre(102'000, 109'000, 110'000));
  EXPECT_EQ(found.tainted_pairs, 1);
  EXPECT_THAT(found.nodes, IsEmpty());
}

TEST_F(StoredEvidence, MarginsAreThoseOfThePolicyAndOfTimedMetricsOnly) {
  const CaseEvidence found = evidence(outcome_of_group("timed"));
  ASSERT_THAT(found.margins, SizeIs(1));
  EXPECT_EQ(found.margins.at("step_time_ns").ignore, 0.02);
  EXPECT_EQ(found.margins.at("step_time_ns").matter, 0.07);
}

TEST_F(StoredEvidence, ADamagedPolicyGivesNoMargins) {
  folder_.write("policies/fake/policy.json", "{");
  EXPECT_THAT(evidence(outcome_of_group("timed")).margins, IsEmpty());
}

TEST_F(StoredEvidence, MemoryOfBothSidesOfAnAbRunIsThatOfItsExactHalf) {
  write_measurement_in(std::string(drawn_case) + "/ab/exact/base", exact_process(1000));
  write_measurement_in(std::string(drawn_case) + "/ab/exact/head", exact_process(1500));
  const CaseEvidence found = evidence(outcome_of_group("ab"));
  EXPECT_EQ(found.base_memory, ledger_of_peak(1000));
  EXPECT_EQ(found.memory, ledger_of_peak(1500));
}

TEST_F(StoredEvidence, MemoryOfAGateIsComparedWithTheBaseline) {
  write_measurement_in(std::string(drawn_case) + "/exact", exact_process(1500));
  EXPECT_EQ(evidence(outcome_of_group("exact")).base_memory, std::nullopt);
  Baseline baseline;
  baseline.case_name = drawn_case;
  baseline.runner_class = portable_class;
  baseline.key = {{"torch", "2.11.0"}};
  baseline.ledger = ledger_of_peak(1200);
  const auto file = baseline_path(project_.baseline_root, name_of(baseline));
  folder_.write(file.lexically_relative(folder_.path()), to_text(baseline));
  const CaseEvidence found = evidence(outcome_of_group("exact"));
  EXPECT_EQ(found.base_memory, ledger_of_peak(1200));
  EXPECT_EQ(found.memory, ledger_of_peak(1500));
}

TEST_F(StoredEvidence, OfAGateHoldsPairsOnlyWhereItConfirmedByThem) {
  write_pair(0, 4000);
  Outcome outcome = outcome_of_group("timed");
  EXPECT_THAT(evidence(outcome).pairs, IsEmpty()) << "an older A/B run of the case left them";
  outcome.pairs_decided = true;
  EXPECT_THAT(heads_of(evidence(outcome).pairs), ElementsAre(104'000));
}

TEST_F(StoredEvidence, PairsOfSeveralNodesAreThereByNode) {
  for (std::int64_t index : {0, 1, 2}) {
    write_pair(index, 4000 + index);
    write_node_result(index == 1 ? "trainer2 CPU 0-7" : "trainer1 CPU 0-7", index, 10 * index);
  }
  const CaseEvidence found = evidence(outcome_of_group("ab"));
  EXPECT_THAT(heads_of(found.pairs), SizeIs(3));
  ASSERT_THAT(found.nodes, SizeIs(2));
  EXPECT_EQ(found.nodes[0].place, "trainer1 CPU 0-7");
  EXPECT_THAT(heads_of(found.nodes[0].pairs), ElementsAre(104'000, 104'002));
  EXPECT_EQ(found.nodes[1].place, "trainer2 CPU 0-7");
  EXPECT_THAT(heads_of(found.nodes[1].pairs), ElementsAre(104'001));
}

TEST_F(StoredEvidence, AMergedPlanKnowsTheNodesWhereverItsResultsLie) {
  for (std::int64_t index : {0, 1}) {
    write_pair(index, 4000);
    write_node_result(fmt::format("trainer{} CPU 0-7", index), index, 10 * index, "far/away/plan");
  }
  RunReport report;
  report.outcomes = {outcome_of_group("ab")};
  EXPECT_THAT(stored_evidence(project_, report, folder_.path() / "far/away/plan").at(0).nodes, SizeIs(2));
  EXPECT_THAT(stored_evidence(project_, report).at(0).nodes, IsEmpty());
}

TEST_F(StoredEvidence, NodesOfAnOlderPlanDoNotCount) {
  for (std::int64_t index : {0, 1}) {
    write_pair(index, 4000);
    write_node_result(fmt::format("trainer{} CPU 0-7", index), index, 7777);
  }
  EXPECT_THAT(evidence(outcome_of_group("ab")).nodes, IsEmpty());
}

TEST_F(StoredEvidence, OfACaseThatTheProjectDoesNotKnowIsAbsent) {
  RunReport report;
  report.outcomes = {outcome_of_group("ab")};
  report.outcomes.front().verdict.case_name = "fake/other/tiny";
  EXPECT_THAT(stored_evidence(project_, report), IsEmpty());
}

TEST_F(StoredEvidence, OfACompareHoldsMarginsOnly) {
  write_measurement_in(std::string(drawn_case) + "/compare", exact_process(1500));
  const CaseEvidence found = evidence(outcome_of_group("compare"));
  EXPECT_THAT(found.margins, SizeIs(1));
  EXPECT_EQ(found.memory, std::nullopt);
}

}  // namespace
}  // namespace stepgate
