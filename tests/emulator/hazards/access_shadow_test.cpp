#include "emulator/hazards/access_shadow.h"

#include <gtest/gtest.h>

#include <memory>

namespace stepgate::emulator {
namespace {

AccessPointer shadow_access(TimelineNumber timeline, bool writes, bool has_gaps = false) {
  AccessRecord record;
  record.moment = {timeline, 1};
  record.writes = writes;
  record.has_gaps = has_gaps;
  return std::make_shared<const AccessRecord>(record);
}

std::size_t met(const AccessShadow& shadow, const AddressStretch& stretch, bool writes, bool has_gaps = false) {
  return shadow.met_by(stretch, *shadow_access(9, writes, has_gaps)).size();
}

TEST(AccessShadow, AWriteMeetsAllAndAReadMeetsWrites) {
  AccessShadow shadow;
  shadow.add({100, 200}, shadow_access(1, true));
  shadow.add({100, 200}, shadow_access(2, false));
  EXPECT_EQ(met(shadow, {150, 160}, true), 2U);
  EXPECT_EQ(met(shadow, {150, 160}, false), 1U);
  EXPECT_EQ(met(shadow, {200, 300}, true), 0U);
  EXPECT_EQ(met(shadow, {0, 100}, true), 0U);
  EXPECT_EQ(met(shadow, {150, 150}, true), 0U) << "nothing";
  EXPECT_EQ(met(shadow, {0, 101}, true), 2U);
  EXPECT_EQ(met(shadow, {199, 300}, true), 2U);
}

TEST(AccessShadow, AWriteTakesThePlaceOfWhatItCovers) {
  AccessShadow shadow;
  shadow.add({100, 200}, shadow_access(1, false));
  shadow.add({120, 140}, shadow_access(2, true));
  EXPECT_EQ(shadow.size(), 3U);
  const std::vector<AccessPointer> found = shadow.met_by({120, 140}, *shadow_access(9, true));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]->moment.timeline, 2U);
  EXPECT_EQ(met(shadow, {100, 200}, true), 2U);
  shadow.add({0, 1000}, shadow_access(3, true));
  EXPECT_EQ(shadow.size(), 1U);
}

TEST(AccessShadow, AReadFillsTheRoomBetweenStretches) {
  AccessShadow shadow;
  shadow.add({100, 120}, shadow_access(1, true));
  shadow.add({140, 160}, shadow_access(1, true));
  shadow.add({110, 150}, shadow_access(2, false));
  EXPECT_EQ(met(shadow, {120, 140}, true), 1U);
  EXPECT_EQ(met(shadow, {110, 111}, true), 2U);
  EXPECT_EQ(met(shadow, {109, 110}, true), 1U);
  EXPECT_EQ(met(shadow, {150, 151}, true), 1U);
  EXPECT_EQ(shadow.size(), 5U);
}

/// A weight that an optimizer writes in one piece, after each row of it was read. With a search through what was found
/// before, it takes a minute.
TEST(AccessShadow, AWriteMeetsEachOfManyOnce) {
  constexpr std::uintptr_t rows = 200'000;
  AccessShadow shadow;
  for (std::uintptr_t row = 0; row < rows; ++row) shadow.add({10 * row, 10 * row + 10}, shadow_access(1, false));
  shadow.add({0, 10 * rows}, shadow_access(2, false));
  EXPECT_EQ(shadow.size(), rows);
  EXPECT_EQ(met(shadow, {0, 10 * rows}, true), rows + 1);
}

TEST(AccessShadow, OneReadOfATimelineIsKept) {
  AccessShadow shadow;
  for (int time = 0; time < 3; ++time) shadow.add({100, 200}, shadow_access(1, false));
  EXPECT_EQ(met(shadow, {100, 200}, true), 1U);
}

TEST(AccessShadow, AWriteWithGapsLeavesWhatWasThere) {
  AccessShadow shadow;
  shadow.add({100, 200}, shadow_access(1, true));
  shadow.add({100, 200}, shadow_access(2, true, true));
  EXPECT_EQ(met(shadow, {100, 200}, false), 2U);
  EXPECT_EQ(met(shadow, {100, 200}, false, true), 1U);
}

TEST(AccessShadow, ForgetsAPart) {
  AccessShadow shadow;
  shadow.add({100, 200}, shadow_access(1, true));
  shadow.forget({120, 140});
  shadow.forget({150, 150});
  EXPECT_EQ(met(shadow, {120, 140}, true), 0U);
  EXPECT_EQ(met(shadow, {119, 141}, true), 1U);
  EXPECT_EQ(shadow.size(), 2U);
}

TEST(AccessShadow, ForgetsWhatIsOver) {
  AccessShadow shadow;
  shadow.add({100, 200}, shadow_access(1, true));
  shadow.add({100, 150}, shadow_access(2, false));
  VectorClock before;
  before.add({1, 1});
  shadow.forget_before(before);
  EXPECT_EQ(shadow.size(), 1U);
  EXPECT_EQ(met(shadow, {100, 200}, true), 1U);
}

}  // namespace
}  // namespace stepgate::emulator
