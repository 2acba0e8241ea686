#include "emulator/model/shown_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace stepgate::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int> shown_of_four(const std::optional<std::string>& list) {
  return shown_devices(read_machine_options("a100:4"), list);
}

TEST(ShownDevices, WithoutAListAreAll) { EXPECT_THAT(shown_of_four(std::nullopt), ElementsAre(0, 1, 2, 3)); }

TEST(ShownDevices, AListGivesThemInItsOrder) {
  EXPECT_THAT(shown_of_four("2,0"), ElementsAre(2, 0));
  EXPECT_THAT(shown_of_four(" 3 , 1 "), ElementsAre(3, 1));
}

TEST(ShownDevices, TheFirstEntryThatNamesNoneEndsTheList) {
  EXPECT_THAT(shown_of_four("1,7,2"), ElementsAre(1));
  EXPECT_THAT(shown_of_four("1,-1,2"), ElementsAre(1));
  EXPECT_THAT(shown_of_four(""), IsEmpty());
  EXPECT_THAT(shown_of_four("-1"), IsEmpty());
  EXPECT_THAT(shown_of_four("NoDevFiles"), IsEmpty());
  EXPECT_THAT(shown_of_four("1x"), IsEmpty());
}

TEST(ShownDevices, ADeviceNamedTwiceLeavesNone) { EXPECT_THAT(shown_of_four("1,2,1"), IsEmpty()); }

TEST(ShownDevices, AUuidNamesOne) {
  const DeviceModel& model = *find_device_model("a100");
  EXPECT_THAT(shown_of_four(uuid_text(model, 2) + ",0"), ElementsAre(2, 0));
  EXPECT_THAT(shown_of_four(uuid_text(model, 1).substr(0, 16)), ElementsAre(1)) << "a beginning that fits one only";
  EXPECT_THAT(shown_of_four("GPU-"), IsEmpty()) << "a beginning that fits several";
  EXPECT_THAT(shown_of_four(uuid_text(*find_device_model("h100"), 1)), IsEmpty());
}

TEST(ShownDevices, UuidsAndBusesDiffer) {
  std::set<std::string> uuids;
  std::set<std::string> buses;
  for (const DeviceModel& model : device_models()) {
    for (int device = 0; device < 16; ++device) uuids.insert(uuid_text(model, device));
  }
  for (int device = 0; device < 16; ++device) buses.insert(bus_id_text(device));
  EXPECT_EQ(uuids.size(), 16 * device_models().size());
  EXPECT_EQ(buses.size(), 16U);
}

TEST(ShownDevices, TextsHaveTheFormOfTheDriver) {
  EXPECT_THAT(uuid_text(*find_device_model("l4"), 0),
              testing::MatchesRegex("GPU-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"));
  EXPECT_EQ(uuid_text(*find_device_model("l4"), 0).size(), 40U);
  EXPECT_EQ(bus_id_text(0), "00000000:1B:00.0");
}

}  // namespace
}  // namespace stepgate::emulator
