#include "launch/replicate/stored_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "json/records/measurement_json.h"
#include "json/records/run_record_json.h"
#include "support/fake_program.h"
#include "support/golden.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// The record files in `folder`, by name.
std::vector<std::string> record_files(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".record.json")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(StoredRecords, LeaveOneFileWithEachSample) {
  const FakeProgram program("good");
  const LaunchRequest request = program.request({Group::timed, Group::exact});
  const Measurement measurement = measure_case(request, {});
  EXPECT_THAT(record_files(request.out_dir),
              ElementsAre("exact-00-0.record.json", "timed-00-0.record.json", "timed-01-0.record.json"))
      << "until the measurement is written, only these files hold what was measured";

  write_file_atomically(request.out_dir / "measurement.json", to_text(measurement));
  remove_stored_records(request.out_dir, measurement);

  EXPECT_THAT(record_files(request.out_dir), IsEmpty());
  const Measurement read = measurement_from_text(read_text_file(request.out_dir / "measurement.json"), "m.json");
  ASSERT_THAT(read.replicates, SizeIs(3));
  for (const Replicate& replicate : read.replicates) EXPECT_TRUE(replicate.record);
}

TEST(StoredRecords, KeepAFileThatNoMeasurementHolds) {
  const FakeProgram program("echo '{' > \"$record\"");
  const LaunchRequest request = program.request({Group::timed});
  const Measurement measurement = measure_case(request, {});
  ASSERT_TRUE(measurement.replicates.front().failure);
  write_file_atomically(request.out_dir / "timed-07-0.record.json", to_text(valid_record(Group::timed, 7)));
  remove_stored_records(request.out_dir, measurement);
  EXPECT_THAT(record_files(request.out_dir), ElementsAre("timed-00-0.record.json", "timed-07-0.record.json"))
      << "the record that could not be read, and that of another run";
}

TEST(StoredRecords, OfOlderFoldersAreInTheMeasurementToo) {
  // An output folder of stepgate 0.1, which has the record beside the measurement that contains it.
  const std::filesystem::path folder = golden_path("old_results");
  const Measurement measurement =
      measurement_from_text(read_text_file(folder / "measurement.json"), "measurement.json");
  const RunRecord record =
      run_record_from_text(read_text_file(folder / "exact-00-0.record.json"), "exact-00-0.record.json");
  ASSERT_THAT(measurement.replicates, SizeIs(1));
  EXPECT_EQ(to_text(measurement.replicates.front().record.value()), to_text(record));
  EXPECT_EQ(record.steps, StepCounts{});
  EXPECT_FALSE(record.counts->per_step.empty());
}

}  // namespace
}  // namespace stepgate
