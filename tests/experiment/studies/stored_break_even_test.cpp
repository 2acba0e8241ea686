// What is stored of a case and of its twin, read together.
#include "experiment/studies/stored_break_even.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/plan/measurement_files.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;

constexpr const char* fake_twin = "fake/case/eager";

/// A project whose manifest has two cases.
class StoredBreakEven : public testing::Test {
 protected:
  StoredBreakEven() {
    project_.manifest.cases.push_back(project_.manifest.cases.front());
    project_.manifest.cases.back().name = fake_twin;
  }
  void store(const std::string& case_name, const std::string& compile_seconds) {
    Measurement measurement;
    measurement.case_name = case_name;
    measurement.utc = "2026-11-21T10:00:00Z";
    Replicate replicate;
    replicate.group = Group::timed;
    replicate.record = valid_record(Group::timed, 0);
    replicate.record->case_name = case_name;
    if (!compile_seconds.empty()) replicate.record->fingerprint["compile_seconds"] = compile_seconds;
    measurement.replicates.push_back(replicate);
    const auto folder = project_.out / case_name / "timed";
    prepare_result_folder(folder);
    write_measurement(folder, measurement);
  }
  std::string refusal_of(const BreakEvenOptions& options) const {
    try {
      stored_break_even(project_, options);
    } catch (const Error& refused) {
      return std::string(refused.what()) + "; " + refused.remedy();
    }
    return "";
  }

  FakeBuild build_{"good"};
  Project project_ = build_.project();
};

TEST_F(StoredBreakEven, ReadsBothCases) {
  store(fake_case, "112");
  store(fake_twin, "");
  const BreakEvenStudy study = stored_break_even(project_, {.case_name = fake_case, .twin = fake_twin});
  EXPECT_EQ(study.fast.case_name, fake_case);
  EXPECT_EQ(study.fast.compile_seconds, 112);
  EXPECT_EQ(study.twin.values, study.fast.values);
  EXPECT_EQ(study.steps, 1) << "equal times: nothing was lost";
  EXPECT_FALSE(study.steps_with_compiling) << "and nothing is won";
}

TEST_F(StoredBreakEven, NamesTheCaseThatWasNotMeasured) {
  store(fake_case, "");
  EXPECT_THAT(refusal_of({.case_name = fake_case, .twin = fake_twin}), HasSubstr("no times of fake/case/eager below"));
  EXPECT_THAT(refusal_of({.case_name = fake_case, .twin = fake_twin}),
              HasSubstr("stepgate run fake/case/tiny fake/case/eager --tier timed"));
}

TEST_F(StoredBreakEven, RefusesACaseAsItsOwnTwinAndUnknownNames) {
  EXPECT_THAT(refusal_of({.case_name = fake_case, .twin = fake_case}), HasSubstr("is given twice"));
  EXPECT_THAT(refusal_of({.case_name = fake_case, .twin = "fake/case/eagre"}), HasSubstr("fake/case/eager"));
}

}  // namespace
}  // namespace stepgate
