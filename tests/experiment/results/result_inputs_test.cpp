// Which files a verdict is of, by half and device, and when it is one of other files.
#include "experiment/results/result_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/fake_build.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ResultInputsOf : public testing::Test {
 protected:
  ResultInputsOf() : build_("good"), project_(build_.project()), entry_(project_.manifest.cases.front()) {}

  void write_baseline(const std::string& file) const { write_file_atomically(project_.baseline_root / file, file); }

  std::vector<std::string> roles(TierChoice tier) const {
    std::vector<std::string> all;
    KnownDigests digests;
    for (const auto& [role, digest] : inputs_of_gate(project_, entry_, tier, digests)) all.push_back(role);
    return all;
  }

  std::string why(const std::string& group, const ResultInputs& inputs) const {
    Outcome stored;
    stored.kind = result_kind_named(group).value();
    stored.inputs = inputs;
    KnownDigests digests;
    return why_of_other_files(project_, entry_, stored, digests);
  }

  FakeBuild build_;
  Project project_;
  ManifestCase entry_;
};

TEST_F(ResultInputsOf, AHalfAreItsProgramItsPolicyAndItsOwnBaseline) {
  EXPECT_THAT(roles(TierChoice::exact), ElementsAre("policy", "program")) << "there is no baseline yet";
  write_baseline("portable/fake/case/tiny.json");
  write_baseline("local/fake/case/tiny.json");
  write_baseline("local/fake/case/tiny.exact.json");
  EXPECT_THAT(roles(TierChoice::exact), ElementsAre("policy", "portable", "program"));
  EXPECT_THAT(roles(TierChoice::timed), ElementsAre("policy", "program", "runner"));
  EXPECT_THAT(roles(TierChoice::all), ElementsAre("policy", "portable", "program", "runner"));
  entry_.device = Device::cuda;
  EXPECT_THAT(roles(TierChoice::exact), ElementsAre("device", "policy", "program"));
}

TEST_F(ResultInputsOf, AnExactHalfOnAGpuAreTheRunnersFileWhereItStandsIn) {
  entry_.device = Device::cuda;
  write_baseline("local/fake/case/tiny.json");
  EXPECT_THAT(roles(TierChoice::exact), ElementsAre("policy", "program", "runner"));
}

TEST_F(ResultInputsOf, AFirstBaselineMakesThemOthers) {
  KnownDigests known;
  const ResultInputs before = inputs_of_gate(project_, entry_, TierChoice::timed, known);
  EXPECT_EQ(why("timed", before), "");
  write_baseline("portable/fake/case/tiny.json");
  EXPECT_EQ(why("timed", before), "") << "of the other half";
  write_baseline("local/fake/case/tiny.json");
  EXPECT_EQ(why("timed", before), "its baseline changed since");
  EXPECT_EQ(why("ab", before), "") << "pairs are held against no baseline";
}

TEST_F(ResultInputsOf, EachChangeIsNamed) {
  const auto base = build_.root() / "base-program";
  write_file_atomically(base, "base");
  const ResultInputs before = inputs_of_pairs(project_, entry_, base);
  EXPECT_EQ(why("ab", before), "");
  write_file_atomically(base, "another base");
  std::filesystem::remove(project_.policy_root / "fake/policy.json");
  std::filesystem::remove(entry_.program);
  EXPECT_EQ(why("ab", before), "its policy and its program and the base build changed since");
  std::filesystem::remove(base);
  EXPECT_THAT(why("ab", before), testing::Not(HasSubstr("base build"))) << "where it was built is often gone";
}

TEST_F(ResultInputsOf, ACalibrationIsOneOfThem) {
  const auto file = build_.root() / "h100.json";
  write_file_atomically(file, "one");
  KnownDigests known;
  EXPECT_FALSE(inputs_of_gate(project_, entry_, TierChoice::exact, known).contains("calibration"));
  project_.calibration = LibraryCalibration{
      .source = file.string(), .gpu = "", .cuda_runtime = "", .cuda_driver = "", .calls = {}, .left_out = {}};
  const ResultInputs before = inputs_of_gate(project_, entry_, TierChoice::exact, known);
  EXPECT_EQ(before.at("calibration_path"), file.string());
  project_.calibration.reset();
  EXPECT_EQ(why("exact", before), "") << "a report is made without the option";
  write_file_atomically(file, "another");
  EXPECT_EQ(why("exact", before), "its calibration changed since");
  std::filesystem::remove(file);
  EXPECT_EQ(why("exact", before), "") << "it may lie in a temporary folder";
}

TEST_F(ResultInputsOf, WithoutAProgramItIsOfNone) {
  EXPECT_EQ(why("exact", {}), "it does not say which program it is of");
  std::filesystem::remove(entry_.program);
  EXPECT_EQ(why("exact", {}), "it does not say which program it is of");
}

}  // namespace
}  // namespace stepgate
