#include "core/step_boundaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of(const std::vector<std::string>& names) {
  try {
    const StepBoundaries boundaries(names);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(StepBoundaries, AreThoseOfTheTable) {
  const StepBoundaries boundaries;
  EXPECT_THAT(boundaries.names(), ElementsAre("data_wait", "h2d", "forward", "backward", "optimizer", "logging"));
  EXPECT_EQ(boundaries, StepBoundaries(boundaries.names()));
  EXPECT_EQ(boundaries.mark(Boundary::forward), "marks.forward_done()");
  EXPECT_EQ(boundaries.metric(Boundary::forward), "forward_ns");
}

TEST(StepBoundaries, HaveTheLoopsOwnAtTheirPlace) {
  StepBoundaries boundaries;
  const Boundary critic = boundaries.insert(2, "critic");
  EXPECT_THAT(boundaries.names(),
              ElementsAre("data_wait", "h2d", "critic", "forward", "backward", "optimizer", "logging"));
  EXPECT_EQ(critic, own_boundary(0));
  EXPECT_EQ(boundaries.find("critic"), critic);
  EXPECT_EQ(boundaries.place_of(critic), 2U);
  EXPECT_EQ(boundaries.name(critic), "critic");
  EXPECT_EQ(boundaries.mark(critic), "marks.boundary(\"critic\")");
  EXPECT_EQ(boundaries.metric(critic), "boundary_ns[critic]");
  EXPECT_EQ(boundaries, StepBoundaries(boundaries.names()));
}

TEST(StepBoundaries, MayLackOnesOfTheTable) {
  const StepBoundaries boundaries({"data_wait", "step", "logging"});
  EXPECT_THAT(boundaries.names(), ElementsAre("data_wait", "step", "logging"));
  EXPECT_FALSE(boundaries.find("forward"));
}

TEST(StepBoundaries, RefuseNamesThatCannotBe) {
  EXPECT_THAT(refusal_of({"Critic"}), HasSubstr("boundary \"Critic\": a name has lower case letters"));
  EXPECT_THAT(refusal_of({""}), HasSubstr("a name is missing"));
  EXPECT_THAT(refusal_of({std::string(33, 'a')}), HasSubstr("at most 32"));
  EXPECT_THAT(refusal_of({"a", "a"}), HasSubstr("it is in the step already"));
  EXPECT_THAT(refusal_of({"forward", "forward"}), HasSubstr("it is in the step already"));
  EXPECT_THAT(refusal_of({"a", "b", "c", "d", "e", "f", "g", "h", "i"}),
              HasSubstr("boundary \"i\": a step has at most 8"));
}

}  // namespace
}  // namespace stepgate
