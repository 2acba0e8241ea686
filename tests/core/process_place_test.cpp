#include "core/process_place.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

ProcessPlace in_pass(const char* name) {
  ProcessPlace place;
  place.enter_pass(name);
  return place;
}

TEST(ProcessPlace, NamesPassBoundaryAndStep) {
  ProcessPlace place = in_pass("counts");
  EXPECT_EQ(text_of(place), "in pass counts, before its first step");
  place.step.is_in_step = 1;
  place.step.boundary = static_cast<std::uint32_t>(Boundary::forward);
  place.step.step = 3;
  EXPECT_EQ(text_of(place), "in pass counts, boundary forward, step 3");
  place.stage = RunStage::warm_up;
  EXPECT_EQ(text_of(place), "in warm-up, boundary forward, step 3");
  place.step.step = 4;
  place.step.is_in_step = 0;
  EXPECT_EQ(text_of(place), "in warm-up, after step 3");
}

TEST(ProcessPlace, KnowsTheTimesBeforeAndAfterThePasses) {
  ProcessPlace place = in_pass("memory");
  place.stage = RunStage::before_passes;
  EXPECT_EQ(text_of(place), "before its first pass");
  place.stage = RunStage::after_passes;
  EXPECT_EQ(text_of(place), "after its last pass");
}

TEST(ProcessPlace, NamesABoundaryOfTheLoopsOwn) {
  ProcessPlace place = in_pass("e2e");
  place.step.is_in_step = 1;
  place.step.boundary = static_cast<std::uint32_t>(own_boundary(1));
  place.step.set_name(own_boundary(1), "discriminator");
  EXPECT_EQ(text_of(place), "in pass e2e, boundary discriminator, step 0");
  const std::string longest(max_boundary_name, 'x');
  place.step.set_name(own_boundary(1), longest);
  EXPECT_EQ(text_of(place), "in pass e2e, boundary " + longest + ", step 0");
}

TEST(ProcessPlace, SaysNothingOfAProgramThatWritesNothing) { EXPECT_EQ(text_of(ProcessPlace{}), ""); }

// The measured program can write anything there.
TEST(ProcessPlace, QuotesNothingThatIsNoName) {
  ProcessPlace place = in_pass("\x1b[31m");
  EXPECT_EQ(text_of(place), "");
  place.pass.fill('x');
  EXPECT_EQ(text_of(place), "") << "without an end";
  place = in_pass("counts");
  place.step.is_in_step = 1;
  place.step.boundary = 4000000000U;
  EXPECT_EQ(text_of(place), "in pass counts");
  place.step.boundary = static_cast<std::uint32_t>(own_boundary(0));
  EXPECT_EQ(text_of(place), "in pass counts") << "a boundary without a name";
  place.stage = static_cast<RunStage>(77);
  EXPECT_EQ(text_of(place), "");
}

}  // namespace
}  // namespace stepgate
