#include "emulator/model/device_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate::emulator {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(DeviceScript, ALineWithoutATriggerHoldsFromTheStart) {
  const DeviceScript script = read_device_script("gpu 0 clock_mhz 1410\n");
  EXPECT_EQ(script.number(0, "clock_mhz", {}), 1410);
  EXPECT_EQ(script.number(1, "clock_mhz", {}), std::nullopt);
  EXPECT_EQ(script.number(0, "power_w", {}), std::nullopt);
}

TEST(DeviceScript, TheLastLineThatIsReachedCounts) {
  const DeviceScript script = read_device_script(
      "# a device that gets hot\n"
      "gpu 0 temperature_c 40\n"
      "gpu 0 after 2000 ms temperature_c 91  # here\n"
      "\n"
      "gpu 0 after 3 readings temperature_c 95\n");
  EXPECT_EQ(script.number(0, "temperature_c", {.milliseconds = 1999}), 40);
  EXPECT_EQ(script.number(0, "temperature_c", {.milliseconds = 2000}), 91);
  EXPECT_EQ(script.number(0, "temperature_c", {.milliseconds = 2000, .readings = 3}), 95);
}

TEST(DeviceScript, OperationsAreATriggerOfTheirOwn) {
  const DeviceScript script = read_device_script("gpu 1 after 400 operations xid 79");
  EXPECT_EQ(script.number(1, "xid", {.milliseconds = 900, .operations = 399, .readings = 900}), std::nullopt);
  EXPECT_EQ(script.number(1, "xid", {.operations = 400}), 79);
}

TEST(DeviceScript, AValueMayHaveSeveralWords) {
  const DeviceScript script = read_device_script("gpu 0 process 4242   800");
  EXPECT_EQ(script.value(0, "process", {}), "4242 800");
  EXPECT_EQ(script.number(0, "process", {}), std::nullopt) << "no number";
}

TEST(DeviceScript, AWrongLineIsNamed) {
  const auto reading = [](const char* text) { return [text] { read_device_script(text); }; };
  const auto says = [](const char* text) { return ThrowsMessage<std::invalid_argument>(HasSubstr(text)); };
  EXPECT_THAT(reading("\ngpu 0\n"), says("line 2"));
  EXPECT_THAT(reading("cpu 0 clock_mhz 1"), says("gpu N"));
  EXPECT_THAT(reading("gpu x clock_mhz 1"), says("'x' is no number of a device"));
  EXPECT_THAT(reading("gpu -1 clock_mhz 1"), says("'-1' is no number of a device"));
  EXPECT_THAT(reading("gpu 0 after 5 clock_mhz 1"), says("ms, operations or readings"));
  EXPECT_THAT(reading("gpu 0 after ms clock_mhz 1"), says("ms, operations or readings"));
  EXPECT_THAT(reading("gpu 0 after 5 ms"), says("is no key"));
  EXPECT_THAT(reading("gpu 0 colour red"), says("'colour' is no key"));
  EXPECT_THAT(reading("gpu 0 clock_mhz"), says("no value"));
}

TEST(DeviceScript, IsEmptyWithoutALine) {
  EXPECT_TRUE(read_device_script("# nothing\n\n").empty());
  EXPECT_FALSE(read_device_script("gpu 0 xid 79").empty());
}

}  // namespace
}  // namespace stepgate::emulator
