#include "experiment/plan/calibration_file.h"

#include <gtest/gtest.h>

#include "json/expect_error.h"
#include "json/stored/calibration_json.h"
#include "support/sample_calibration.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

TEST(CalibrationFile, IsOfTheEmulatedModel) {
  const TemporaryFolder folder;
  const auto file = folder.write("h100.json", to_text(sample_calibration()));
  EXPECT_EQ(read_calibration(file, "emulated-h100").source, file.string());
  EXPECT_EQ(read_calibration(file, "emulated-h100-values").calls, sample_calibration().calls);
  expect_error([&] { read_calibration(file, "emulated-a100"); }, ErrorKind::usage,
               {"h100.json", "NVIDIA H100 80GB HBM3", "a100"});
}

TEST(CalibrationFile, ARealGpuNeedsNone) {
  const TemporaryFolder folder;
  const auto file = folder.write("h100.json", to_text(sample_calibration()));
  expect_error([&] { read_calibration(file, "local"); }, ErrorKind::usage, {"h100.json", "a real GPU needs none"});
}

TEST(CalibrationFile, SaysWhatIsWrongWithIt) {
  const TemporaryFolder folder;
  expect_error([&] { read_calibration(folder.path() / "none.json", "emulated-h100"); }, ErrorKind::usage,
               {"none.json"});
  const auto file = folder.write("h100.json", "{");
  expect_error([&] { read_calibration(file, "emulated-h100"); }, ErrorKind::usage, {"h100.json"});
}

TEST(CalibrationFile, AModelIsAWordOfTheName) {
  EXPECT_TRUE(is_of_model("NVIDIA H100 80GB HBM3", "h100"));
  EXPECT_TRUE(is_of_model("NVIDIA A100-SXM4-80GB", "a100"));
  EXPECT_TRUE(is_of_model("Tesla T4", "t4"));
  EXPECT_FALSE(is_of_model("NVIDIA L40S", "l4"));
  EXPECT_FALSE(is_of_model("NVIDIA L40", "l4"));
  EXPECT_FALSE(is_of_model("NVIDIA H200", "h100"));
  EXPECT_FALSE(is_of_model("", "h100"));
}

}  // namespace
}  // namespace stepgate
