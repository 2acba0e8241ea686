#include "json/studies/device_check_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "json/expect_error.h"
#include "json/studies/device_report_json.h"
#include "support/sample_device.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

TEST(DeviceCheckJson, ReadsWhatItWrites) {
  for (const auto& [name, run] : sample_bad_device_runs()) {
    if (run.end != CheckEnd::measured) continue;
    EXPECT_EQ(device_figures_from_text(to_text(run.figures), name), run.figures);
  }
}

TEST(DeviceCheckJson, RefusesWhatIsNoNumber) {
  DeviceFigures figures{.check = "event_cost", .values = {{"record_ns", std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_THROW(to_text(figures), Error);
  figures.values["record_ns"] = 1;
  std::string text = to_text(figures);
  text.replace(text.find("1.0"), 3, "\"1\"");
  try {
    device_figures_from_text(text, "event_cost.json");
    ADD_FAILURE() << "a text passed as a number";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::measure);
    EXPECT_THAT(error.what(), HasSubstr("event_cost.json: values.record_ns"));
  }
}

TEST(DeviceCheckJson, RefusesAnotherDocument) {
  DeviceReport report;
  EXPECT_THROW(device_figures_from_text(to_text(report), "report.json"), Error);
  EXPECT_THROW(device_figures_from_text("", "empty.json"), Error);
}

}  // namespace
}  // namespace stepgate
