// What an earlier run left is taken up only where it is of the same case, program and seed.
#include "experiment/plan/measurement_files.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/fake_program.h"
#include "support/temporary_folder.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

class CompletedMeasurement : public testing::Test {
 protected:
  Measurement measurement() const {
    Measurement made;
    made.case_name = "fake/case/tiny";
    made.utc = "2026-11-21T10:00:00Z";
    made.program = "/build/out/ab-builds/program/base/program";
    Replicate replicate;
    replicate.group = Group::timed;
    replicate.record = valid_record(Group::timed, 0);
    made.replicates.push_back(replicate);
    return made;
  }
  bool is_taken(const Measurement& stored, const MeasurementIdentity& wanted) const {
    write_measurement(folder_.path(), stored);
    return completed_measurement(folder_.path(), wanted).has_value();
  }
  MeasurementIdentity wanted() const {
    return {.case_name = "fake/case/tiny", .program = "/build/out/ab-builds/program/base/program", .seed = Plan{}.seed};
  }

  TemporaryFolder folder_;
};

TEST_F(CompletedMeasurement, IsTakenWhereItIsOfTheSame) {
  EXPECT_TRUE(is_taken(measurement(), wanted()));
  MeasurementIdentity moved = wanted();
  moved.program = "/elsewhere/program/base/program";
  EXPECT_TRUE(is_taken(measurement(), moved)) << "the output folder was moved";
  EXPECT_FALSE(completed_measurement(folder_.path() / "none", wanted()));
}

/// A SIGKILL between the two left the file for good (seed 703240 of the swarm).
TEST_F(CompletedMeasurement, TakesTheFilesOfItsRecordsAwayWhereAKilledRunDidNot) {
  write_measurement(folder_.path(), measurement());
  const auto held = folder_.path() / "timed-00-0.record.json";
  const auto other = folder_.path() / "timed-01-0.record.json";
  for (const auto& file : {held, other}) write_file_atomically(file, "{}");
  MeasurementIdentity of_another = wanted();
  of_another.seed = 7;
  EXPECT_FALSE(completed_measurement(folder_.path(), of_another));
  EXPECT_TRUE(std::filesystem::exists(held)) << "of a measurement that is not taken";
  EXPECT_TRUE(completed_measurement(folder_.path(), wanted()));
  EXPECT_FALSE(std::filesystem::exists(held));
  EXPECT_TRUE(std::filesystem::exists(other)) << "the measurement does not hold it";
}

TEST_F(CompletedMeasurement, IsNotWrittenWhereNothingCouldReadIt) {
  Measurement damaged = measurement();
  damaged.case_name = "../../x";
  EXPECT_THROW(write_measurement(folder_.path(), damaged), Error);
  damaged = measurement();
  damaged.replicates.front().record.reset();
  EXPECT_THROW(write_measurement(folder_.path(), damaged), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(CompletedMeasurement, IsLeftWhereCaseProgramOrSeedDiffer) {
  MeasurementIdentity other = wanted();
  other.case_name = "fake/case/big";
  EXPECT_FALSE(is_taken(measurement(), other));
  other = wanted();
  other.program = "/build/out/ab-builds/program/head/program";
  EXPECT_FALSE(is_taken(measurement(), other)) << "the other side";
  other = wanted();
  other.seed = 7;
  EXPECT_FALSE(is_taken(measurement(), other));
  Measurement planted = measurement();
  planted.replicates[0].record->case_name = "fake/case/big";
  EXPECT_FALSE(is_taken(planted, wanted())) << "a record of another case";
  planted = measurement();
  planted.replicates[0].record->seed = 7;
  EXPECT_FALSE(is_taken(planted, wanted()));
}

TEST_F(CompletedMeasurement, OneThatASignalStoppedTakesThePlaceOfNoWholeOne) {
  EXPECT_TRUE(is_taken(measurement(), wanted()));
  Measurement stopped = measurement();
  stopped.replicates[0].record.reset();
  stopped.replicates[0].failure = ReplicateFailure{FailureKind::interrupted, "stopped", ""};
  EXPECT_TRUE(is_taken(stopped, wanted())) << "the whole one is still there";
  const auto file = folder_.path() / "stopped-measurement.json";
  EXPECT_TRUE(was_interrupted(read_measurement(file)));
  EXPECT_TRUE(is_taken(measurement(), wanted()));
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace stepgate
