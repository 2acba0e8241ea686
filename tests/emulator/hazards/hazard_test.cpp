#include "emulator/hazards/hazard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

AccessRecord access_of(AccessMaker maker, std::uint32_t stream_number, bool writes) {
  AccessRecord record;
  record.maker = maker;
  record.place.stream_number = stream_number;
  record.writes = writes;
  return record;
}

Hazard hazard_of(AccessMaker earlier, AccessMaker later) {
  return {access_of(earlier, 7, false), access_of(later, 8, true), 64, false};
}

TEST(Hazard, IsNamedByWhatTheTwoDo) {
  Hazard hazard = hazard_of(AccessMaker::kernels, AccessMaker::kernels);
  EXPECT_EQ(name_of_hazard(hazard), "write after read");
  hazard.earlier.writes = true;
  EXPECT_EQ(name_of_hazard(hazard), "write after write");
  hazard.later.writes = false;
  EXPECT_EQ(name_of_hazard(hazard), "read after write");
}

TEST(Hazard, SaysWhatOrdersTheTwo) {
  Hazard hazard = hazard_of(AccessMaker::kernels, AccessMaker::kernels);
  EXPECT_EQ(remedy_of(hazard),
            "record an event in stream 7 of device 0 after the first access, and let stream 8 of device 0 wait for it "
            "before the second one");
  hazard.earlier.is_in_graph = true;
  EXPECT_THAT(remedy_of(hazard), HasSubstr("after the launch of the graph"));
  EXPECT_THAT(remedy_of(hazard_of(AccessMaker::copy, AccessMaker::host)), StartsWith("let the host wait for an event"));
  EXPECT_THAT(remedy_of(hazard_of(AccessMaker::kernels, AccessMaker::release)), HasSubstr("before it is freed"));
  hazard.earlier.block = 1;
  hazard.later.block = 1;
  EXPECT_THAT(remedy_of(hazard), StartsWith("record an event"));
  hazard.later.block = 2;
  EXPECT_THAT(remedy_of(hazard), StartsWith("call record_stream with stream 7 of device 0"));
}

TEST(Hazard, IsOneLineOfJson) {
  HazardOrigins origins;
  origins.begin_operator(1, {"aten::add"});
  Hazard hazard = hazard_of(AccessMaker::kernels, AccessMaker::copy);
  hazard.earlier.origin = origins.number_of(1);
  hazard.later.work = "copy host_to_device";
  const std::string line = json_of(hazard, origins);
  EXPECT_THAT(line, HasSubstr(R"("kind": "write after read", "earlier": {"maker": "kernels", "work": "kernels", )"
                              R"("operator": "aten::add", "writes": false, "device": 0, "stream": 7)"));
  EXPECT_THAT(line, HasSubstr(R"("later": {"maker": "copy", "work": "copy host_to_device", "operator": "", )"));
  EXPECT_THAT(line, HasSubstr(R"("bytes": 64, "page_locked": false, "reused": false, "remedy": ")"));
}

TEST(HazardOrigins, TheSamePlaceHasOneNumber) {
  HazardOrigins origins;
  std::uint32_t numbers[2] = {};
  for (std::uint32_t& number : numbers) number = origins.number_of(1);
  EXPECT_EQ(numbers[0], numbers[1]);
  EXPECT_NE(numbers[0], 0U);
  origins.begin_operator(1, {"aten::add"});
  EXPECT_NE(origins.number_of(1), numbers[0]);
}

TEST(HazardOrigins, ABackwardHasTheLinesOfItsForward) {
  HazardOrigins origins;
  origins.begin_operator(1, {"aten::mm", 12});
  const HazardOrigin forward = origins.at(origins.number_of(1));
  origins.end_operator(1);
  origins.begin_operator(2, {"aten::mm", 0, 12});
  const HazardOrigin backward = origins.at(origins.number_of(2));
  EXPECT_FALSE(forward.for_forward);
  EXPECT_TRUE(backward.for_forward);
  EXPECT_EQ(backward.offsets, forward.offsets);
  EXPECT_FALSE(backward.offsets.empty());
}

}  // namespace
}  // namespace stepgate::emulator
