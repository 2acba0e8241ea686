#include "json/stored/calibration_json.h"

#include <gmock/gmock.h>

#include "json/expect_error.h"
#include "json/sample_documents.h"
#include "support/sample_calibration.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

LibraryCalibration read_back(const std::string& text) { return calibration_from_text(text, "h100.json"); }

TEST(CalibrationJson, ReadsBackWhatItWrote) {
  const std::string text = to_text(sample_calibration());
  EXPECT_EQ(read_back(text), sample_calibration());
  EXPECT_EQ(to_text(read_back(text)), text);
  EXPECT_THAT(text, HasSubstr(R"("not_used": "equal calls started 1 to 2 kernels")"));
}

TEST(CalibrationJson, VersionsMayBeUnknown) {
  LibraryCalibration calibration = sample_calibration();
  calibration.cuda_runtime.clear();
  calibration.cuda_driver.clear();
  EXPECT_EQ(read_back(to_text(calibration)), calibration);
}

TEST(CalibrationJson, RefusesWhatNoTraceGives) {
  const std::string text = to_text(sample_calibration());
  const auto refused = [&](const std::string& from, const std::string& to, const std::vector<std::string>& parts) {
    expect_error([&] { read_back(replaced(text, from, to)); }, ErrorKind::usage, parts);
  };
  refused("\"gpu\": \"NVIDIA H100 80GB HBM3\"", "\"gpu\": \" \"", {"h100.json", "gpu"});
  refused("\"cuda_runtime\"", "\"cuda_runtimes\"", {"cuda_runtimes"});
  refused("[2, 2]", "[2, 1]", {"kernels", "the least and the most"});
  refused("[2, 2]", "[2]", {"kernels", "two numbers"});
  refused("[2, 2]", "[2, 10001]", {"kernels", "10000"});
  refused("[2, 2]", "[-1, 2]", {"kernels"});
  refused("[2, 2]", "[0, 0]", {"kernels", "at least 1"});
  refused("\"calls\": 5", "\"calls\": 0", {"calls", "from 1"});
  refused("1 to 2 kernels", "1 to 3 kernels", {"not_used", "1 to 2 kernels"});
  refused("[2, 2]", "[1, 2]", {"not_used"});
  refused("aten::mm(float32[8, 64], float32[64, 4])", "aten::mm", {"calls", "no name of a library call"});
  refused("aten::mm(float32[8, 64], float32[64, 4])", "aten::mm)", {"calls", "no name of a library call"});
  refused("aten::mm(float32[8, 64], float32[64, 4])", "aten::mm(None)", {"calls", "no name of a library call"});
  refused("\"memsets\": [0, 1]", "\"memsets\": [0, 1], \"times\": 1", {"times"});
  refused("stepgate.calibration", "stepgate.baseline", {"h100.json"});
}

/// Rows that are used must not become unused by a text, nor the reverse.
TEST(CalibrationJson, ACallIsUnusedByItsNumbersAlone) {
  expect_error(
      [&] {
        read_back(replaced(to_text(sample_calibration()), "\"memsets\": [0, 1]",
                           "\"memsets\": [0, 1], \"not_used\": \"I say so\""));
      },
      ErrorKind::usage, {"not_used"});
}

TEST(CalibrationJson, RefusesATableWithoutCalls) {
  LibraryCalibration calibration = sample_calibration();
  calibration.calls.clear();
  expect_error([&] { read_back(to_text(calibration)); }, ErrorKind::usage, {"calls", "at least one library call"});
}

}  // namespace
}  // namespace stepgate
