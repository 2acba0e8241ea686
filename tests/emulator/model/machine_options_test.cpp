#include "emulator/model/machine_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace stepgate::emulator {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(MachineOptions, AModelAloneIsOneDeviceInCounts) {
  const MachineOptions options = read_machine_options("h100");
  EXPECT_EQ(options.model->key, "h100");
  EXPECT_EQ(options.devices, 1);
  EXPECT_EQ(options.mode, ValueMode::counts);
  EXPECT_EQ(options.clock, ClockKind::virtual_time);
  EXPECT_EQ(options.device_scale, 1);
  EXPECT_FALSE(options.memory_bytes);
}

TEST(MachineOptions, EachSettingIsRead) {
  const MachineOptions options = read_machine_options(
      "  t4:4 scale=0.5 mode=values clock=real memory_mib=1000 moved_mib=2 log=/tmp/a%20b%25 script=/tmp/s "
      "answers=other order=/tmp/o hazards=/tmp/h sizes=held");
  EXPECT_EQ(options.model->key, "t4");
  EXPECT_EQ(options.devices, 4);
  EXPECT_EQ(options.mode, ValueMode::values);
  EXPECT_EQ(options.clock, ClockKind::real_time);
  EXPECT_EQ(options.device_scale, 0.5);
  EXPECT_EQ(options.memory_bytes, 1000ULL << 20U);
  EXPECT_EQ(options.moved_bytes_limit, 2ULL << 20U);
  EXPECT_EQ(options.answers, DeviceAnswers::other);
  EXPECT_EQ(options.order_path, "/tmp/o");
  EXPECT_EQ(options.hazards_path, "/tmp/h");
  EXPECT_EQ(options.log_path, "/tmp/a b%");
  EXPECT_EQ(options.script_path, "/tmp/s");
  EXPECT_EQ(options.sizes, SizeAnswers::held);
}

TEST(MachineOptions, TheTextIsReadBack) {
  for (const char* text : {"h100", "a100:2", "l4 mode=values", "h200:8 clock=real scale=40 memory_mib=512",
                           "t4 answers=other sizes=held moved_mib=1 log=/a%20b order=/o hazards=/h%20 script=/c%25d"}) {
    EXPECT_EQ(text_of(read_machine_options(text)), text);
  }
}

TEST(MachineOptions, AWrongWordIsNamedWithTheRightOnes) {
  const auto reading = [](const char* text) { return [text] { read_machine_options(text); }; };
  const auto says = [](const char* one, const char* other) {
    return ThrowsMessage<std::invalid_argument>(AllOf(HasSubstr(one), HasSubstr(other)));
  };
  EXPECT_THAT(reading(""), says("names no model", "h100, h200, a100, l4, t4"));
  EXPECT_THAT(reading("b200"), says("'b200' is no model", "h100"));
  EXPECT_THAT(reading("h100:0"), says("'h100:0'", "1 to 16"));
  EXPECT_THAT(reading("h100:x"), says("'h100:x'", "no number"));
  EXPECT_THAT(reading("h100:2x"), says("'h100:2x'", "no number"));
  EXPECT_THAT(reading("h100 speed=2"), says("'speed=2' is no setting", "scale="));
  EXPECT_THAT(reading("h100 mode"), says("'mode' is no setting", "mode="));
  EXPECT_THAT(reading("h100 mode=fast"), says("'mode=fast'", "counts or values"));
  EXPECT_THAT(reading("h100 answers=1"), says("'answers=1'", "held or other"));
  EXPECT_THAT(reading("h100 clock=fast"), says("'clock=fast'", "virtual or real"));
  EXPECT_THAT(reading("h100 scale=-1"), says("'scale=-1'", "0 or more"));
  EXPECT_THAT(reading("h100 scale=inf"), says("'scale=inf'", "0 or more"));
  EXPECT_THAT(reading("h100 sizes=any"), says("'sizes=any'", "refused or held"));
  EXPECT_THAT(reading("h100 memory_mib=-4"), says("'memory_mib=-4'", "no number"));
}

TEST(MachineOptions, TheTitleNamesModelVersionAndMode) {
  const std::string title = "emulated H100, model " + std::to_string(model_version);
  EXPECT_EQ(machine_title(read_machine_options("h100")), title);
  EXPECT_EQ(machine_title(read_machine_options("h100:2 mode=values")), title + ", values");
}

}  // namespace
}  // namespace stepgate::emulator
