#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

StreamHazard sample_hazard() {
  return {.kind = "write after read",
          .earlier = {.op = "aten::abs",
                      .work = "kernels",
                      .stream = 7,
                      .in_graph = true,
                      .place = {.offsets = {1}, .frames = {{"log_features", "train.cpp", 12}}}},
          .later = {.op = "aten::copy_",
                    .work = "copy host_to_device",
                    .writes = true,
                    .stream = 8,
                    .place = {.offsets = {2}, .frames = {{"next_batch", "loader.cpp", 40}}}},
          .bytes = 64,
          .remedy = "record an event"};
}

SampleCase with_stream_hazards(const StreamHazards& hazards) {
  SampleCase sample = trained_sample();
  sample.current.hazards = hazards;
  return sample;
}

TEST(StreamHazardFindings, NameBothAccessesWithTheirLines) {
  SampleCase sample = with_stream_hazards({.accesses = 10, .kernels = 4, .hazards = 1, .found = {sample_hazard()}});
  sample.red("stream_hazards");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "stream-hazard");
  EXPECT_EQ(
      causes[0].message,
      "write after read: copy host_to_device of aten::copy_ (stream 8) writes memory that aten::abs (stream 7, in "
      "a graph) reads, and nothing orders the two");
  EXPECT_EQ(causes[0].advice, "record an event.");
  EXPECT_EQ(causes[0].metric, "stream_hazards");
  ASSERT_EQ(causes[0].sources.size(), 2U);
  EXPECT_EQ(causes[0].sources[0].file, "train.cpp");
  EXPECT_EQ(causes[0].sources[1].line, 40);
}

TEST(StreamHazardFindings, AreAtMostTwenty) {
  StreamHazards hazards{.hazards = 100};
  hazards.found.assign(100, sample_hazard());
  EXPECT_EQ(explain_stream_hazards(with_stream_hazards(hazards).input()).size(), 20U);
}

TEST(StreamHazardFindings, SayWhatWasNotSeen) {
  const auto findings =
      explain_stream_hazards(with_stream_hazards({.kernels = 9, .unknown_kernels = 3, .forgotten = 7}).input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(name_of(findings[0].code), "hazards-unseen");
  EXPECT_THAT(findings[0].message, HasSubstr("3 of 9 kernels"));
  EXPECT_THAT(findings[0].message, HasSubstr("7 accesses were dropped"));
}

TEST(StreamHazardFindings, AreNoneWhereNothingWasFoundOrLookedFor) {
  EXPECT_THAT(explain_stream_hazards(trained_sample().input()), IsEmpty());
  EXPECT_THAT(explain_stream_hazards(with_stream_hazards({.accesses = 10, .kernels = 4}).input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
