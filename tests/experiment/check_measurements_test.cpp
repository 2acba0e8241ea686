// Many stored measurements are judged at the same time, with the result of judging one after the other.
#include "experiment/check_measurements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "baseline/find_baseline.h"
#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/gated_build.h"
#include "experiment/measure_cases.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/result_folders.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::int64_t many_cases = 12;

std::string name_of_check(std::int64_t number) { return fmt::format("fake/case{:02}/tiny", number); }

/// Cases of one program, each measured, with its number as the operators of a step.
class CheckMeasurements : public testing::Test {
 protected:
  CheckMeasurements() : build_(logged_process), project_(build_.project()) {
    const MeasurementOptions exact{.measure = {.tier = TierChoice::exact}, .host = build_.host()};
    EXPECT_FALSE(measure_cases(project_, exact, listener_.caller()).failed);
    measured_ = read_measurement(project_.out / fake_case / "exact/measurement.json");
    fs::remove_all(project_.out);
    project_.manifest.cases.clear();
    for (std::int64_t number = 0; number < many_cases; ++number) {
      project_.manifest.cases.push_back(
          {.name = name_of_check(number), .suite = "fake", .program = build_.program().path(), .device = Device::cpu});
      store(number, measured_);
    }
  }

  fs::path folder(std::int64_t number) const {
    return folder_of(project_, {name_of_check(number), {.half = TierChoice::exact}});
  }

  void store(std::int64_t number, Measurement measurement) const {
    measurement.case_name = name_of_check(number);
    for (Replicate& replicate : measurement.replicates)
      replicate.record->counts->per_step.at("operators_per_step") = {number, number};
    write_measurement(folder(number), measurement);
  }

  JudgedRun check(const CheckOptions& options = {}) {
    return check_measurements(project_, options, listener_.caller());
  }

  std::map<std::int64_t, std::string> verdicts() const {
    std::map<std::int64_t, std::string> texts;
    for (std::int64_t number = 0; number < many_cases; ++number)
      texts[number] = read_text_file(folder(number) / "verdict.json");
    return texts;
  }

  FakeBuild build_;
  Listener listener_;
  Project project_;
  Measurement measured_;
};

TEST_F(CheckMeasurements, GivesWhatJudgingOneAfterTheOtherGives) {
  const JudgedRun checked = check();
  const std::map<std::int64_t, std::string> together = verdicts();
  for (std::int64_t number = 0; number < many_cases; ++number) {
    ASSERT_LT(static_cast<std::size_t>(number), checked.report.outcomes.size());
    const Outcome& outcome = checked.report.outcomes[static_cast<std::size_t>(number)];
    EXPECT_EQ(outcome.verdict.case_name, name_of_check(number)) << "in the order of the manifest";
    EXPECT_THAT(read_baseline(outcome.pending_path).exact.at("operators_per_step"), testing::Each(number));
    check({.files = {folder(number) / "measurement.json"}});
  }
  EXPECT_EQ(verdicts(), together);
}

TEST_F(CheckMeasurements, NamesTheFirstThatIsDamagedAndMovesNothing) {
  check();
  const std::map<std::int64_t, std::string> before = verdicts();
  for (const std::int64_t damaged : {3, 5, 10}) write_file_atomically(folder(damaged) / "measurement.json", "{");
  for (int round = 0; round < 5; ++round) {
    try {
      check();
      FAIL() << "a damaged file was judged";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("fake/case03/tiny/exact/measurement.json"));
    }
  }
  EXPECT_EQ(verdicts(), before);
  EXPECT_FALSE(fs::exists(folder(0) / "previous-verdict.json"));
}

TEST_F(CheckMeasurements, LeavesOutChangedProgramsInOrder) {
  measured_.program_digest = "another";
  measured_.commit = "abc";
  for (const std::int64_t changed : {2, 4, 9}) store(changed, measured_);
  const JudgedRun checked = check();
  std::vector<std::string> told;
  for (const Notice& notice : checked.notices) told.push_back(notice.text);
  EXPECT_THAT(told, testing::ElementsAre(HasSubstr("fake/case02/tiny: what was measured"),
                                         HasSubstr("fake/case04/tiny: what was measured"),
                                         HasSubstr("fake/case09/tiny: what was measured")))
      << "the commits of what is left out do not count";
  EXPECT_EQ(std::ssize(checked.report.outcomes), many_cases - 3);
}

TEST_F(CheckMeasurements, OfAnEmulatedGpuIsNotJudgedAmongThoseOfAMachine) {
  measured_.runner_class = "emulated-h100";
  store(4, measured_);
  const JudgedRun checked = check();
  ASSERT_EQ(checked.notices.size(), 1U);
  EXPECT_THAT(checked.notices.front().text, HasSubstr("fake/case04/tiny is of an emulated H100"));
  EXPECT_THAT(checked.notices.front().next, HasSubstr("stepgate check --device emulated:h100 "));
  EXPECT_EQ(std::ssize(checked.report.outcomes), many_cases - 1);
  try {
    check({.files = {folder(4) / "measurement.json"}});
    FAIL() << "values of an emulated GPU became a pending baseline of a machine";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("is of an emulated H100, and the class 'local' is another one"));
  }
  project_.runner_class = "emulated-h100";
  EXPECT_EQ(check({.files = {folder(4) / "measurement.json"}}).report.runner_class, "emulated-h100");
  try {
    check({.files = {folder(5) / "measurement.json"}});
    FAIL() << "values of a machine became a pending baseline of an emulated GPU";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("and not on an emulated GPU"));
    EXPECT_THAT(error.remedy(), HasSubstr("--runner-class local"));
  }
}

TEST_F(CheckMeasurements, OfTwoFilesOfOneCaseTheLastOneCounts) {
  const fs::path other = build_.root() / "other";
  store(0, measured_);
  fs::create_directories(other);
  Measurement later = measured_;
  later.case_name = name_of_check(0);
  later.utc = "2027-01-01T00:00:00Z";
  write_measurement(other, later);
  for (int round = 0; round < 5; ++round) {
    const JudgedRun checked = check({.files = {folder(0) / "measurement.json", other / "measurement.json"}});
    EXPECT_EQ(std::ssize(checked.report.outcomes), 2);
    EXPECT_EQ(read_baseline(checked.report.outcomes.back().pending_path).provenance.utc, later.utc);
  }
}

}  // namespace
}  // namespace stepgate
