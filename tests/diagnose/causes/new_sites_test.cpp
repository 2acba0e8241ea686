// Which of the observed calls are those that a count rose by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "diagnose/diagnose.h"
#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(NewSites, AreThoseThatTheRiseCanBe) {
  const auto add_copy = [](SampleCase& sample, std::int64_t calls, std::int64_t line, bool permuted) {
    const auto turned = with_strides(tensor({2, 97, 16}, "aten::transpose"), {1552, 1, 97});
    add_site(*sample.current.counts.observed, {.boundary = "forward",
                                               .name = "aten::clone",
                                               .calls = calls,
                                               .inputs = {permuted ? turned : tensor({2, 97, 16})},
                                               .outputs = {tensor({2, 97, 16})},
                                               .line = line});
  };
  SampleCase sample = pattern_sample();
  sample.red("operators_per_step");
  inject(sample, "forward", {{"aten::clone", 1}});
  add_copy(sample, 4, 20, true);  // there before: the rise is one call
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
  add_copy(sample, 1, 21, true);
  ASSERT_EQ(explain_patterns(sample.input()).size(), 1U);
  EXPECT_EQ(explain_patterns(sample.input())[0].sources[0].line, 21);
  add_copy(sample, 1, 22, false);  // either of two may be new, and one of them is no such copy
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
}

TEST(NewSites, AreToldApartByFunctions) {
  SampleCase sample = pattern_sample();
  sample.red("operators_per_step");
  inject(sample, "forward", {{"aten::clone", 1}});
  ObservedWork& work = *sample.current.counts.observed;
  work.frames_from = FramesFrom::lines;
  const auto turned = with_strides(tensor({2, 97, 16}, "aten::transpose"), {1552, 1, 97});
  add_site(work,
           {.boundary = "forward", .name = "aten::clone", .inputs = {tensor({2, 97})}, .outputs = {tensor({2, 97})}});
  work.places.back().frames[0].function = "Lm::attention";
  add_site(work, {.boundary = "forward", .name = "aten::clone", .inputs = {turned}, .outputs = {tensor({2, 97, 16})}});
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
  sample.portable.functions_from = "lines";
  sample.portable.operator_functions["forward"]["aten::clone"]["Lm::attention"] = sample_steps;
  EXPECT_EQ(explain_patterns(sample.input()).size(), 1U);
}

TEST(NewSites, AreToldApartByOtherOperatorsThatAreNewAtTheirLine) {
  SampleCase sample = pattern_sample();
  sample.red("operators_per_step");
  inject(sample, "forward", {{"aten::mul", 1}});
  ObservedWork& work = *sample.current.counts.observed;
  work.frames_from = FramesFrom::lines;
  const auto multiply = [&](ObservedTensor result, std::int64_t line) {
    add_site(work, {.boundary = "forward",
                    .name = "aten::mul",
                    .inputs = {tensor({32, 97}), result},
                    .outputs = {result},
                    .line = line});
  };
  multiply(tensor({32, 97}), 20);  // there before, in the same function
  multiply(float64({32, 97}), 21);
  show_float64(work);
  std::erase_if(work.sites, [](const OperatorSite& site) { return site.name == "aten::_to_copy"; });
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
  inject(sample, "backward", {{"aten::to", 1}});
  add_site(work, {.boundary = "backward",
                  .name = "aten::to",
                  .inputs = {float64({32, 97})},
                  .outputs = {tensor({32, 97})},
                  .line = 21});
  ASSERT_EQ(explain_patterns(sample.input()).size(), 1U);
  EXPECT_EQ(name_of(explain_patterns(sample.input())[0].code), "float64-work");
  EXPECT_EQ(explain_patterns(sample.input())[0].sources[0].line, 21);
}

TEST(NewSites, AreToldApartByTheBytesThatAreTouchedMore) {
  SampleCase sample = pattern_sample();
  sample.red("operators_per_step");
  inject(sample, "forward", {{"aten::mul", 1}});
  ObservedWork& work = *sample.current.counts.observed;
  const auto multiply = [&](ObservedTensor result, std::int64_t bytes) {
    add_site(work,
             {.boundary = "forward", .name = "aten::mul", .inputs = {tensor({32, 97}), result}, .outputs = {result}});
    work.sites.back().bytes = bytes * sample_steps;
  };
  multiply(tensor({}), 12);  // there before: the loss, scaled
  multiply(float64({32, 97}), 60'000);
  show_float64(work);
  std::erase_if(work.sites, [](const OperatorSite& site) { return site.name == "aten::_to_copy"; });
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
  sample.portable.counts_by_boundary["bytes_touched_per_step"]["forward"] = 500'000 * sample_steps;
  sample.current.counts.by_boundary["bytes_touched_per_step"]["forward"] = 510'000 * sample_steps;
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
  sample.current.counts.by_boundary["bytes_touched_per_step"]["forward"] = 580'000 * sample_steps;
  ASSERT_EQ(explain_patterns(sample.input()).size(), 1U);
  EXPECT_EQ(name_of(explain_patterns(sample.input())[0].code), "float64-work");
}

}  // namespace
}  // namespace stepgate
