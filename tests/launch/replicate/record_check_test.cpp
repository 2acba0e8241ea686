#include "launch/replicate/record_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_program.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

class RecordCheck : public testing::Test {
 protected:
  RecordCheck() {
    launch_.case_name = "fake/case/tiny";
    launch_.plan.steps = {{"e2e", 60}, {"phase", 30}};
  }

  ReplicateRequest request(Group group = Group::timed) const {
    return {.launch = launch_, .cpus = cpus_, .group = group, .index = 1};
  }

  /// Expects a refusal of `record` for the reason `part`.
  void refuses(const RunRecord& record, FailureKind kind, const std::string& part) const {
    const auto problem = record_problem(record, request(group_));
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->kind, kind);
    EXPECT_THAT(problem->message, HasSubstr(part));
  }

  LaunchRequest launch_;
  CpuChoice cpus_;
  Group group_ = Group::timed;
};

TEST_F(RecordCheck, AcceptsWhatWasAskedFor) {
  for (Group group : all_groups) EXPECT_FALSE(record_problem(valid_record(group, 1), request(group))) << name_of(group);
}

TEST_F(RecordCheck, NamesBothCasesWhereTheRecordIsOfAnother) {
  RunRecord record = valid_record(Group::timed, 1);
  record.case_name = "fake/case/huge";
  refuses(record, FailureKind::wrong_case, "was asked for case fake/case/tiny and wrote a record of fake/case/huge");
}

TEST_F(RecordCheck, RefusesAnotherGroupReplicateOrSeed) {
  RunRecord record = valid_record(Group::reference, 1);
  record.case_name = "fake/case/tiny";
  refuses(record, FailureKind::wrong_case, "group timed and wrote a record of reference");
  refuses(valid_record(Group::timed, 0), FailureKind::wrong_case, "replicate 1 and wrote a record of 0");
  record = valid_record(Group::timed, 1);
  record.seed = 3;
  refuses(record, FailureKind::wrong_case, "seed 20260101 and wrote a record of 3");
}

TEST_F(RecordCheck, ChecksOnlyTheStepCountsThatWereOverridden) {
  RunRecord record = valid_record(Group::timed, 1);
  record.steps.loader = 2000;
  EXPECT_FALSE(record_problem(record, request())) << "declared with the case";
  record.steps.phase = 5;
  refuses(record, FailureKind::wrong_case, "was asked for step counts phase=30 and wrote a record of phase=5");
  launch_.plan.steps.clear();
  EXPECT_FALSE(record_problem(record, request()));
}

TEST_F(RecordCheck, RefusesAnotherGpu) {
  launch_.gpus = {{Gpu{.uuid = "GPU-1", .pci_bus_id = "00000000:3B:00.0"}, "GPU-1"}};
  RunRecord record = valid_record(Group::timed, 1);
  record.fingerprint["gpu_pci_bus_id"] = "0000:3b:00.0";
  EXPECT_FALSE(record_problem(record, request()));
  record.fingerprint["gpu_pci_bus_id"] = "0000:86:00.0";
  refuses(record, FailureKind::wrong_case, "GPU 0000:3b:00.0 and wrote a record of 0000:86:00.0");
}

TEST_F(RecordCheck, ComparesTheGpuOfEachRank) {
  launch_.gpus = {{Gpu{.uuid = "GPU-1", .pci_bus_id = "00000000:3B:00.0"}, "GPU-1"},
                  {Gpu{.uuid = "GPU-2", .pci_bus_id = "00000000:4B:00.0"}, "GPU-2"}};
  RunRecord record = valid_record(Group::timed, 1);
  record.fingerprint["gpu_pci_bus_id"] = "0000:3b:00.0,0000:4B:00.0";
  EXPECT_FALSE(record_problem(record, request()));
  record.fingerprint["gpu_pci_bus_id"] = "0000:3b:00.0";
  EXPECT_FALSE(record_problem(record, request())) << "the reference case has one rank";
  record.fingerprint["gpu_pci_bus_id"] = "0000:3b:00.0,0000:86:00.0";
  refuses(record, FailureKind::wrong_case,
          "GPU 0000:3b:00.0, 0000:4b:00.0 and wrote a record of 0000:3b:00.0, 0000:86");
}

TEST_F(RecordCheck, RefusesTimedRecordsWithoutSteps) {
  RunRecord record = valid_record(Group::timed, 1);
  record.timed["phase"] = TimedPass{};
  refuses(record, FailureKind::bad_record, "its pass phase has no steps");
  record.timed.clear();
  refuses(record, FailureKind::bad_record, "no timed pass");
}

TEST_F(RecordCheck, RefusesExactRecordsWithoutSteps) {
  group_ = Group::exact;
  RunRecord record = valid_record(Group::exact, 1);
  record.counts->per_step["allocations"] = {};
  refuses(record, FailureKind::bad_record, "its pass counts has no steps");
  record.counts.reset();
  EXPECT_FALSE(record_problem(record, request(Group::exact))) << "a device may lack counters";
  record.memory = MemoryProfile{};
  refuses(record, FailureKind::bad_record, "its pass memory has no steps");
  record.memory.reset();
  record.numerics->loss.clear();
  refuses(record, FailureKind::bad_record, "its pass numerics has no steps");
  record.numerics.reset();
  refuses(record, FailureKind::bad_record, "none of the passes");
}

TEST_F(RecordCheck, AProfileHoldsBlocksOrObservedSteps) {
  group_ = Group::profile;
  RunRecord record = valid_record(Group::profile, 1);
  record.profile->blocks.clear();
  refuses(record, FailureKind::bad_record, "its pass profile has no steps");
  record.profile->observed = ObservedWork{};
  EXPECT_FALSE(record_problem(record, request(Group::profile))) << "only observed";
  record.profile->observed.reset();
  record.profile->repeats = {{.variant = "unchanged"}};
  EXPECT_FALSE(record_problem(record, request(Group::profile))) << "only repeated calls";
  record.profile->repeats.clear();
  record.profile->absent["repeated-calls"] = "LibTorch finds no call stack here";
  EXPECT_FALSE(record_problem(record, request(Group::profile))) << "no call could be repeated, and it says why";
  record.profile.reset();
  refuses(record, FailureKind::bad_record, "its record has no pass profile");
}

}  // namespace
}  // namespace stepgate
